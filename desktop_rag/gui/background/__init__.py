"""Background work of the window: stream worker, command queue, latest-only worker."""
