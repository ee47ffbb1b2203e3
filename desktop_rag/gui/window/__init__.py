"""The main window, its menus and sessions, and the single instance of the program.

`main_window` holds the parts, `main_menus` and `shortcuts` the commands. `sessions` switches between libraries; a
`session` is everything that works for one library. `single_instance` (the lock), `instance_server` and `second_start`
let a second start reach the open window. `preload` prepares the first question, `screen_check` tells why no window can
be opened. `app.py` composes them all.
"""
