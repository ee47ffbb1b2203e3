"""The type of a JSON value, and a change of all its texts."""

from collections.abc import Callable, Mapping, Sequence

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]


def map_strings(value: Json, change: Callable[[str], str]) -> Json:
    """Return a JSON value with `change` applied to its strings, names of fields excepted."""
    match value:
        case str():
            return change(value)
        case Mapping():
            return {key: map_strings(each, change) for key, each in value.items()}
        case Sequence():
            return [map_strings(each, change) for each in value]
        case _:
            return value
