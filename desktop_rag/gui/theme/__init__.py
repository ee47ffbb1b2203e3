"""The look of the window: palettes, style sheet, icons, colours of code."""
