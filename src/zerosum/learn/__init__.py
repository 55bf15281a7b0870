"""Weights from play: positions with results, and the numbers in a game's tables fitted to them."""
