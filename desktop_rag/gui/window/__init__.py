"""The main window, its menus and sessions, and the single instance of the program.

`main_window` holds the parts, `main_menus` the commands, `help_dialogs` the guide and the keys. `sessions` switches
between libraries; a `Session` is everything that works for one of them, and what forgets a folder. `single_instance`
(the lock) and `instance_server` let a second start reach the open window. `preload` prepares the first question,
`desktop_application` sets up Qt, the log and the first painting, `screen_check` tells why no window can be opened.
`app.py` composes them all.
"""
