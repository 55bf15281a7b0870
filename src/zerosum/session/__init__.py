"""A session with an engine that gets ready in the background (session.py), and the time for a move (clock, pace)."""
