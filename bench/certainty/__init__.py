"""The parts of ``bench/soundness.py``, which compares the engine's claims with values found in other ways."""
