"""The window (PySide6). Widgets show state and report gestures; controls beside them connect them with the library.

- `window/`: main window, menus, sessions, single instance. `background`: workers and queues; the only use of threads.
- `library/`, `conversation/`, `search/`, `viewer/`, `files/`, `work/`, `settings/`, `privacy/`, `first_run/`: one
  package per part of the window. `why`: the dialog that explains why a file is found or not.
- `control/`: what connects those parts with each other and with the desktop.
- `command_parts`: every command with its keys; `command_palette`: the list in which they are found.
- `desktop/`: notifications, tray, hotkey and start at login: what the program shares with the desktop around it.
- `theme/`, `widgets/`, `formatting`, `quote_data`, `answer_methods`, `os_services`, `window_state`: what they share.
- `library_status`, `viewer_requests`: one object each, handed down: the status of the open library, and what to show.

`app.py` composes them. Nothing here parses, searches or encodes a document, or blocks the event loop.
"""
