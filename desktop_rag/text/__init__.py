"""Functions on text alone, below documents and models: nothing here knows a file, an index or a widget.

- `normalize`: `fold` for searching and `fold_quote` for proof, both with offsets back into the source text.
- `locate`: the one quote locator; verification, viewer, find in document and passage comparison call it.
- `figures`: the figures of a text, from `dates` and `figure_names` (units, spelled out, SST-2, Q3).
- `hidden_characters`: invisible characters that a model reads, and control words of chat templates, made harmless.
- `display`: foreign text made safe and short enough to show; `plural`.
- `readable_math`: the formulas in a text, and TeX as text that people can read.
- `sentences`: sentence boundaries; `language_detection`, `language_profiles`: the language of a text.
- `desktop_links`: what a `desktop-rag://` link asks for.

Offsets are characters; a function that changes lengths returns the map back.
"""
