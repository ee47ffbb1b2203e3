"""The turns of a conversation as a tree: each follows another one, and those that follow the same one are variants."""

from collections.abc import Iterator, Mapping

Follows = Mapping[int, int]  # the number of each turn, in the order of asking, and of the one that it follows


def path_to(follows: Follows, last: int) -> tuple[int, ...]:
    """Return the turns from a first one to `last`; without that turn, to the one asked last."""
    path: dict[int, None] = {}
    number = last if last in follows else max(follows, default=0)
    while number in follows and number not in path:
        path[number] = None
        number = follows[number]
    return tuple(reversed(path))


def variants_of(follows: Follows) -> dict[int, tuple[int, ...]]:
    """Return, by the turn that they follow, the turns that are variants of each other."""
    found: dict[int, list[int]] = {}
    for number, before in follows.items():
        found.setdefault(before, []).append(number)
    return {before: tuple(numbers) for before, numbers in found.items()}


def latest_after(follows: Follows, number: int) -> int:
    """Return the turn asked last of all that lead back to `number`, or that itself."""
    return max(_descendants(follows, number), default=number)


def _descendants(follows: Follows, number: int) -> Iterator[int]:
    reached = {number}
    for turn in sorted(follows):  # a turn is asked after the one it follows
        if turn in reached or follows[turn] in reached:
            reached.add(turn)
            yield turn
