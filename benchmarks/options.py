"""Value parsers for options that several benchmarks share."""

SIZES = {"S": 180_000, "L": 720_000}  # passages


def numbers(text: str) -> tuple[int, ...]:
    """Parse comma-separated integers."""
    return tuple(int(number.replace("_", "")) for number in text.split(","))


def names(text: str) -> tuple[str, ...]:
    """Parse comma-separated names."""
    return tuple(text.split(","))
