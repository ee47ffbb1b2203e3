"""Sentences become vectors."""
