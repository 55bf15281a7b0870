"""Run the command line as ``python -m zerosum``."""

import sys

from zerosum.cli import main

if __name__ == "__main__":
    sys.exit(main())
