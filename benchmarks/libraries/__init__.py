"""Benchmarks of whole libraries in their real processes: `library`, `pipeline`, `window` and `protocol_clients`.

`measured_library` is a running library under measurement, `folders` and `filling` create its contents,
`window_probe` is the instrumented window (a separate process), `endpoint` the model it uses. `answer_turns` shows the
answers of `hostile_answers`.
"""
