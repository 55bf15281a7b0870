"""What the engine says about games that people, or other engines, have played; nothing here is about matches."""
