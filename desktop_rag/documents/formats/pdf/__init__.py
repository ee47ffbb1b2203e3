"""PDF: pages become lines in reading order, each with its place."""
