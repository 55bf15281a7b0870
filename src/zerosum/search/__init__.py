"""One compiled algorithm per file, and what they share. No file here refers to a particular game."""
