"""The tools a model is given: search, find, open, read."""
