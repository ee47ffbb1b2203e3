from enum import Enum
from typing import Any

class MessageType(Enum):
    error = ...

class Header:
    message_type: MessageType

class Message:
    header: Header
    body: tuple[Any, ...]

class DBusAddress:
    def __init__(self, object_path: str, bus_name: str | None = ..., interface: str | None = ...) -> None: ...

class Properties:
    def __init__(self, obj: DBusAddress) -> None: ...
    def get(self, name: str) -> Message: ...

def new_method_call(
    remote_obj: DBusAddress, method: str, signature: str | None = ..., body: tuple[object, ...] = ...
) -> Message: ...
