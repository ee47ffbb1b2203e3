"""Values of command line options that several benchmarks take."""

SIZES = {"S": 180_000, "L": 720_000}  # passages


def numbers(text: str) -> tuple[int, ...]:
    """Return whole numbers between commas."""
    return tuple(int(number.replace("_", "")) for number in text.split(","))


def names(text: str) -> tuple[str, ...]:
    """Return names between commas."""
    return tuple(text.split(","))
