"""What ``bench/soundness.py`` checks: claims of the engine against truths found in other ways."""
