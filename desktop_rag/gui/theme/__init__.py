"""The look of the window.

`theme` applies palettes, font size, distances and the style sheet; `theme_colors` defines the colours and those of
code, `icons` draws the line icons and names those of formats. Text has a contrast of at least 4.5 : 1; a test computes
it.
"""
