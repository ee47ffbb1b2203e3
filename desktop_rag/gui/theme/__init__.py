"""The look of the window.

`theme` applies palettes, font size and the style sheet, `density` the distances; `theme_colors` defines the colours,
`icons` draws the line icons, `file_icons` names those of formats, `token_kinds` colours code. Text has a contrast of at
least 4.5 : 1; a test computes it.
"""
