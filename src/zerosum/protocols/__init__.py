"""Text protocols: lines in, calls of the engine, lines out."""
