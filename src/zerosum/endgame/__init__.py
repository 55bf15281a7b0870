"""Endgame databases: positions near the end of a game, solved backwards, kept in files, looked up by engines."""
