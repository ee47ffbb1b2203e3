"""The events of a stored turn, decoded when somebody looks at them."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from desktop_rag.agent.events import AgentEvent

Decode = Callable[[bytes], AgentEvent | None]  # None: this version does not know the event


class StoredEvents(Sequence[AgentEvent]):
    """Equal to the tuple of the same events.

    A conversation of thousands of turns is shown from its end at once: most of its turns are not decoded before.
    """

    __slots__ = ("_decode", "_events", "_stored")

    def __init__(self, stored: Sequence[bytes], decode: Decode) -> None:
        self._stored = stored
        self._decode = decode
        self._events: tuple[AgentEvent, ...] | None = None

    def _all(self) -> tuple[AgentEvent, ...]:
        stored, events = self._stored, self._events  # in this order: another thread may set them meanwhile
        if events is None:
            events = self._events = tuple(event for data in stored if (event := self._decode(data)) is not None)
            self._stored = ()
        return events

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[AgentEvent]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> AgentEvent: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[AgentEvent, ...]: ...
    def __getitem__(self, place: int | slice) -> AgentEvent | tuple[AgentEvent, ...]:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, StoredEvents) else other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
