"""The common parts of PGN (chess) and PDN (checkers).

``tree`` is a game with its tags, comments and variations; ``read`` and ``write`` convert text to it and back. Each game
adds its own positions and moves: see ``games/chess/pgn.py`` and ``games/checkers/pdn.py``.
"""
