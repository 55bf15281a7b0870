"""Small networks: what one is, how rules evaluate by it, and its file. Games ship them and ``learn`` makes them."""
