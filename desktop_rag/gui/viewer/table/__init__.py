"""Spreadsheets as tables, drawn from the lines of the catalog."""
