"""Text protocols: read lines, call the engine, write lines."""
