"""The first start: which folders and which model, in three pages, then a tour of the window.

`first_run_dialog` holds the pages `first_folders_page` and `model_page`; `first_run_control` counts the folders, looks
for servers, and carries out what was chosen. `tour` points at the parts of the window, one after the other.
"""
