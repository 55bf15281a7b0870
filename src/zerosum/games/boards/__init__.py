"""The drawings of the built-in games' boards, one file each, separate from the rules.

Each file has a function ``board`` that returns ``layout``, ``pieces``, ``path`` and others by name, to be passed to
``Game``.
"""
