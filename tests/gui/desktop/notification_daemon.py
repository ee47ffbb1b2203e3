"""A notification service as desktops have one: prints each call as a line of JSON, clicks when told to on its input.

Run: python notification_daemon.py ADDRESS-OF-THE-BUS
"""

import json
import os
import select
import sys

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


def tell(*call: object) -> None:
    """Print a call."""
    sys.stdout.write(json.dumps(call) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until the input ends."""
    bus = open_dbus_connection(sys.argv[1])
    bus.send_and_get_reply(message_bus.RequestName(NAME))
    emitter = DBusAddress(PATH, interface=NAME)
    tell("ready")
    last = 0
    while True:
        ready, _, _ = select.select([bus.sock.fileno(), 0], [], [])
        if 0 in ready:
            if not os.read(0, 100):
                return
            bus.send(new_signal(emitter, "ActivationToken", "us", (last, "token-1")))
            bus.send(new_signal(emitter, "ActionInvoked", "us", (last, "default")))
            bus.send(new_signal(emitter, "NotificationClosed", "uu", (last, 2)))
            continue
        try:
            message = bus.receive(timeout=0)
        except TimeoutError:
            continue
        if message.header.message_type is not MessageType.method_call:
            continue
        match message.header.fields.get(HeaderFields.member):
            case "GetCapabilities":
                bus.send(new_method_return(message, "as", (["actions", "body", "body-markup"],)))
            case "Notify":
                last += 1
                tell("Notify", message.body[3], message.body[4], message.body[5])
                bus.send(new_method_return(message, "u", (last,)))
            case "CloseNotification":
                tell("CloseNotification", message.body[0])
                bus.send(new_method_return(message))


if __name__ == "__main__":
    main()
