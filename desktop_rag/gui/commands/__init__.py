"""The commands of the window: one list with their keys, from which the palette, the F1 sheet and the settings are made.

Begin with `command_parts`: each part of the window hands up a `CommandPart` of QActions.
"""
