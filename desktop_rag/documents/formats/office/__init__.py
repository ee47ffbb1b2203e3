"""Readers of what office programs write: texts, presentations and spreadsheets."""
