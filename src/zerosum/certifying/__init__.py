"""Writing certificates: an engine supplies the moves of a proof. The checker is in ``certificates``."""
