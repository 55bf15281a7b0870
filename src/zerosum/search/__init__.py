"""One compiled algorithm per file, and what they share. No file here knows a game's name."""
