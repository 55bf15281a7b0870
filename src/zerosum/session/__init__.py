"""A session with an engine prepared in the background (session.py), and time management (clock.py, pace.py)."""
