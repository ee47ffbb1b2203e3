"""A count of things."""

MAX_COUNT = 12
