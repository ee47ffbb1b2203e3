"""Sentence vectors on disk and the search among them."""
