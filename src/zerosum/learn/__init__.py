"""Learn weights from play: collect positions with their results, and fit the numbers in a game's tables to them."""
