"""The files of a catalog as they are listed: their states, the list of them, and counts."""
