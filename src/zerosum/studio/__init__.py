"""The studio: play, analyse and watch any game in the browser, from a server on this machine.

It contains no rules and no search. Requests arrive as messages (``messages``), a ``Tab`` passes them to the game and
the engine (``tab``, ``searches``), and the results are sent as data (``positions``, ``reports``). The page (``assets``)
draws any board that a game describes.
"""
