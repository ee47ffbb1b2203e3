"""Readers of pictures, sounds and films: only their metadata is read."""
