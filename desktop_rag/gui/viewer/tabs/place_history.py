"""The places a person has been to in the open documents, and the way back and forth between them."""

from dataclasses import dataclass

from desktop_rag.gui.viewer.target import Target

_MOST = 200


@dataclass(frozen=True, slots=True)
class ViewedPlace:
    """What was shown, and the first line that was looked at; 0: the cited ones were in sight."""

    target: Target
    line: int = 0


class PlaceHistory:
    """Like that of a browser: who goes somewhere else after going back has nothing to go forth to."""

    def __init__(self) -> None:
        self._past: list[ViewedPlace] = []
        self._future: list[ViewedPlace] = []

    def leave(self, place: ViewedPlace) -> None:
        """Remember a place that is left for a new one."""
        self._future.clear()
        if not self._past or self._past[-1] != place:
            self._past.append(place)
            del self._past[:-_MOST]

    def back(self, here: ViewedPlace) -> ViewedPlace | None:
        """Return where the person was before; `here` is where they come back to by `forth`."""
        return _moved(self._past, self._future, here)

    def forth(self, here: ViewedPlace) -> ViewedPlace | None:
        """Return the place that `back` has left."""
        return _moved(self._future, self._past, here)

    def leads_back(self) -> bool:
        """Return whether there is a way back."""
        return bool(self._past)

    def leads_forth(self) -> bool:
        """Return whether there is a way forth."""
        return bool(self._future)

    def clear(self) -> None:
        """Forget everything."""
        self._past.clear()
        self._future.clear()


def _moved(taken: list[ViewedPlace], given: list[ViewedPlace], here: ViewedPlace) -> ViewedPlace | None:
    while taken:
        place = taken.pop()
        if place != here:
            given.append(here)
            return place
    return None
