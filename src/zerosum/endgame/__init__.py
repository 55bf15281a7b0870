"""Endgame databases: positions near the end of a game, solved backwards, stored in files, and looked up by engines."""
