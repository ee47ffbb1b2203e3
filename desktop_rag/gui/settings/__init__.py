"""The settings dialog: endpoints, limits, appearance."""
