"""Values of answers in JSON, which may be anything."""

Json = dict[str, object]


def as_dict(value: object) -> Json:
    """Return a JSON object of an answer; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return a JSON array of an answer; an empty one for anything else."""
    return value if isinstance(value, list) else []


def as_int(value: object) -> int:
    """Return a number of an answer; 0 for anything else."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, float | str) and str(value).lstrip("-").split(".")[0].isdigit() else 0


def hits(answer: Json) -> list[Json]:
    """Return the hits of an answer."""
    return [as_dict(hit) for hit in as_list(as_dict(answer.get("hits")).get("hits"))]


def total(answer: Json) -> int:
    """Return the number of hits of an answer."""
    return as_int(as_dict(as_dict(answer.get("hits")).get("total")).get("value"))
