"""The back and forward history of positions in documents."""

from dataclasses import dataclass

from desktop_rag.gui.viewer.target import Target

_MOST = 200


@dataclass(frozen=True, slots=True)
class ViewedPlace:
    """A target and the first visible line; 0: the cited lines were visible."""

    target: Target
    line: int = 0


class PlaceHistory:
    """History as in a browser: visiting a new place clears the forward entries."""

    def __init__(self) -> None:
        self._past: list[ViewedPlace] = []
        self._future: list[ViewedPlace] = []

    def push(self, place: ViewedPlace) -> None:
        """Push the place that is left for a new one."""
        self._future.clear()
        if not self._past or self._past[-1] != place:
            self._past.append(place)
            del self._past[:-_MOST]

    def back(self, here: ViewedPlace) -> ViewedPlace | None:
        """Return the previous place; `here` becomes the next one."""
        return _moved(self._past, self._future, here)

    def forward(self, here: ViewedPlace) -> ViewedPlace | None:
        """Return the next place; `here` becomes the previous one."""
        return _moved(self._future, self._past, here)

    def can_go_back(self) -> bool:
        """Return whether there is a previous place."""
        return bool(self._past)

    def can_go_forward(self) -> bool:
        """Return whether there is a next place."""
        return bool(self._future)

    def clear(self) -> None:
        """Clear the history."""
        self._past.clear()
        self._future.clear()


def _moved(taken: list[ViewedPlace], given: list[ViewedPlace], here: ViewedPlace) -> ViewedPlace | None:
    while taken:
        place = taken.pop()
        if place != here:
            given.append(here)
            return place
    return None
