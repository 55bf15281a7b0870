"""``python -m zerosum`` is the command line too."""

import sys

from zerosum.cli import main

if __name__ == "__main__":
    sys.exit(main())
