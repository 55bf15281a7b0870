"""Games on paper: the neutral record of a game, and the formats that read and write it.

``played`` is that record, ``format`` what a file format is, ``common`` the formats of every game and the way from a
file's name to its format. A game declares formats of its own by ``Game(formats=...)``; docs/formats.md shows how.
"""
