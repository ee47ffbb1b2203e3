"""How good and how fast the program is, measured."""
