"""The text view: a window of numbered lines in a document of any length.

Begin with `text_pane`, which loads lines around the visible ones into the `line_editor`. `line_highlights` formats
syntax tokens, the quote and the matches; `syntax_tokens` computes tokens in the job of `background_coloring`.
"""
