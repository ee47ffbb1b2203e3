"""The main window, its menus and sessions, and the single instance of the program."""
