"""Game files: a format-independent record of a game, and the formats that read and write it.

``played`` is the record, ``format`` defines a file format, and ``common`` has the formats of every game and finds the
format for a file name. A game declares its own formats with ``Game(formats=...)``; see docs/formats.md.
"""
