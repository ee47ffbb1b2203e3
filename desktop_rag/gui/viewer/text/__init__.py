"""The text view: a window of numbered lines in a document of any length.

Begin with `text_pane`, which loads lines around the visible ones into the `line_editor`. `line_highlights` computes
syntax tokens in a background job, and formats them, the quote and the matches.
"""
