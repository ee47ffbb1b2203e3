"""Takes from a child whatever it does not need: limits, files, network, other programs."""
