"""Games as text: what PGN of chess and PDN of checkers have in common.

``tree`` is a game with its tags, comments and variations, ``read`` and ``write`` are the way there and back. Each game
adds its positions and moves: see ``games/chess/pgn.py`` and ``games/checkers/pdn.py``.
"""
