"""Small networks: their shapes, their evaluation in compiled rules, and their files. ``learn`` trains them."""
