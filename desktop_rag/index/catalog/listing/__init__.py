"""What is told of the files of a catalog: their states, the list of them, and counts."""
