"""What the site needs beyond Sphinx, MyST and furo."""
