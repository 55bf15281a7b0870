"""Readable Python for learning, and the oracle that every compiled kernel is proved against."""
