"""The library panel: folders, progress, problems, rules."""
