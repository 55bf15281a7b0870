"""The studio: play, analyse and watch any game in the browser, from a server on this machine.

It holds no rules and no search of its own: wishes come in as messages (``messages``), a ``Tab`` puts them to the
game and the engine (``tab``, ``searches``), and what is to be seen goes out as data (``positions``, ``reports``). The
page (``assets``) draws any board that a game describes.
"""
