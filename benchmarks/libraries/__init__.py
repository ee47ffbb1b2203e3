"""Benchmarks of whole libraries in their real processes: `library`, `pipeline` and `window`.

`measured_library` is a running library under measurement, `folders` and `filling` create its contents,
`window_probe` is the instrumented window (a separate process), `endpoint` the model it uses.
"""
