"""Whole libraries in their real processes: `library`, `pipeline` and `window` are benchmarks.

`live` is a running library that is measured, `folders` and `filling` make its contents, `window_probe` is the window
under a stopwatch (a process of its own), `endpoint` the model it talks to.
"""
