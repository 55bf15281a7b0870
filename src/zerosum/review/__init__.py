"""Engine reviews of games played by people or other engines. Matches are elsewhere."""
