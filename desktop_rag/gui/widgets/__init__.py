"""Small widgets that several panels share: chips, plain-text labels, painted buttons and rows, the toast."""
