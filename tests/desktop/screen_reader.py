"""A client of AT-SPI, the interface of screen readers on Linux: reads the window and acts on it, like Orca."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar, cast

from jeepney import DBusAddress, Message, MessageType, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

T = TypeVar("T")
ROOT = "/org/a11y/atspi/accessible/root"
ACCESSIBLE = "org.a11y.atspi.Accessible"
COLLAPSED, EXPANDABLE, EXPANDED = 5, 9, 10  # numbers of AtspiStateType
FOCUSABLE, SHOWING, VISIBLE = 11, 25, 30


@dataclass(frozen=True, slots=True)
class Element:
    """One element of the window, as a screen reader knows it."""

    owner: str
    path: str


class ScreenReader:
    """Reads and operates the one program that has registered with the accessibility bus."""

    def __init__(self, session_bus: str) -> None:
        session = open_dbus_connection(session_bus)
        bus = DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Bus")
        address = session.send_and_get_reply(new_method_call(bus, "GetAddress")).body[0]
        session.close()
        self._bus: DBusConnection = open_dbus_connection(address)

    def close(self) -> None:
        """Disconnect."""
        self._bus.close()

    def elements(self, under: Element | None = None) -> Iterator[Element]:
        """Yield every element that is showing, parents before their children."""
        for child in self._children(under or Element("org.a11y.atspi.Registry", ROOT)):
            if under is None or self.has_state(child, SHOWING):
                yield child
                yield from self.elements(child)

    def find(self, role: str, name: str, seconds: float = 30.0) -> Element:
        """Return the first element of this role whose name contains `name`; wait for it."""
        end = time.monotonic() + seconds
        while True:
            for element in self.elements():
                if self.role(element) == role and name in self.name(element):
                    return element
            if time.monotonic() > end:
                raise AssertionError(f"no {role} “{name}” among:\n" + "\n".join(self.outline()))
            time.sleep(0.2)

    def wait_until_gone(self, role: str, name: str, seconds: float = 30.0) -> None:
        """Wait until no element of this role has a name with `name` in it."""
        end = time.monotonic() + seconds
        while any(self.role(element) == role and name in self.name(element) for element in self.elements()):
            assert time.monotonic() < end, f"the {role} “{name}” is still there"
            time.sleep(0.2)

    def outline(self) -> Iterator[str]:
        """Yield one line per element."""
        for element in self.elements():
            yield f"{self.role(element)}: {self.name(element)[:100]!r}"

    def name(self, element: Element) -> str:
        """Return the name that is spoken."""
        return str(self._property(element, ACCESSIBLE, "Name"))

    def role(self, element: Element) -> str:
        """Return the role, for example “push button”."""
        return self._call("", element, ACCESSIBLE, "GetRoleName")

    def has_state(self, element: Element, state: int) -> bool:
        """Return whether the bit of a state is set."""
        low, high = (*self._call((0, 0), element, ACCESSIBLE, "GetState"), 0, 0)[:2]
        return bool((low | high << 32) >> state & 1)

    def press(self, element: Element) -> None:
        """Carry out the element's first action."""
        assert self._call(False, element, "org.a11y.atspi.Action", "DoAction", "i", (0,))

    def focus(self, element: Element) -> None:
        """Move the keyboard focus to the element."""
        assert self._call(False, element, "org.a11y.atspi.Component", "GrabFocus")

    def middle(self, element: Element) -> tuple[int, int]:
        """Return the middle of the element in pixels of the screen."""
        x, y, width, height = self._call((0, 0, 0, 0), element, "org.a11y.atspi.Component", "GetExtents", "u", (0,))
        return x + width // 2, y + height // 2

    def text(self, element: Element) -> str:
        """Return the whole text of an element with text."""
        return self._call("", element, "org.a11y.atspi.Text", "GetText", "ii", (0, -1))

    def _children(self, element: Element) -> list[Element]:
        nothing: list[tuple[str, str]] = []
        return [Element(*reference) for reference in self._call(nothing, element, ACCESSIBLE, "GetChildren")]

    def _property(self, element: Element, interface: str, name: str) -> object:
        address = DBusAddress(element.path, bus_name=element.owner, interface=interface)
        answer = self._bus.send_and_get_reply(Properties(address).get(name), timeout=60)
        return "" if _failed(answer) else answer.body[0][1]

    def _call(
        self,
        default: T,
        element: Element,
        interface: str,
        method: str,
        signature: str | None = None,
        arguments: tuple[object, ...] = (),
    ) -> T:
        """Return the reply's only value; `default` for an element that has gone meanwhile."""
        address = DBusAddress(element.path, bus_name=element.owner, interface=interface)
        answer = self._bus.send_and_get_reply(new_method_call(address, method, signature, arguments), timeout=60)
        return default if _failed(answer) or not answer.body else cast("T", answer.body[0])


def _failed(answer: Message) -> bool:
    return answer.header.message_type is MessageType.error
