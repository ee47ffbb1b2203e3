"""Readers of calendars and address books."""
