"""A settings portal as desktops have one, with the values given as JSON on the command line.

Run: python portal_stand_in.py ADDRESS-OF-THE-BUS VALUES
"""

import json
import sys

from jeepney import MessageType, message_bus, new_method_return
from jeepney.io.blocking import open_dbus_connection


def main() -> None:
    """Answer every call with the values."""
    bus = open_dbus_connection(sys.argv[1])
    bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    kinds = {bool: "b", int: "i", float: "d", str: "s"}
    values = json.loads(sys.argv[2])
    typed = {space: {key: (kinds[type(v)], v) for key, v in keys.items()} for space, keys in values.items()}
    while True:
        message = bus.receive()
        if message.header.message_type is MessageType.method_call:
            bus.send(new_method_return(message, "a{sa{sv}}", (typed,)))


if __name__ == "__main__":
    main()
