"""The boards of the games: a file each, apart from the rules, which know nothing of drawing.

Every file has a function that gives ``layout``, ``pieces`` and ``path`` by name, to be handed to ``Game`` as they are.
"""
