"""From plain functions to machine code.

A kernel is an ordinary Python program over a game's rules. ``lift`` turns that whole program, rules and
helpers included, into Numba functions; ``native`` turns these into one self-contained object file; ``store``
keeps the file under a hash of its content (``fingerprint``); ``kernel`` loads and calls it. A warm start
needs neither Numba nor the rules' source: llvmlite links the object file in milliseconds.
"""
