"""The first start: which folders and which model, in three pages, then a tour of the window.

`first_run_control` holds the dialog with the page of folders and `model_page`, counts the folders, looks for servers,
and carries out what was chosen. `tour` points at the parts of the window, one after the other.
"""
