"""Certificates written: the moves of a proof, gathered from an engine. Their check is in ``certificates``."""
