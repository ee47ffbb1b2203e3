"""The window; thin: shows state, reports gestures."""
