"""Which tests are fast, and how many examples a property test generates."""

import functools
import gc
from pathlib import Path

import pytest
from hypothesis import settings

from tests.required_proofs import pytest_report_header, pytest_runtest_makereport

__all__ = ["pytest_report_header", "pytest_runtest_makereport"]  # hooks

FAST_EXAMPLES = 20
FULL_EXAMPLES = 200
HERE = Path(__file__).parent
WINDOWS = (Path("gui"), Path("desktop"), Path("benchmarks/window"))
PROCESSES = (
    Path("benchmarks/faults"),
    Path("benchmarks/runs"),
    Path("benchmarks/window"),
    Path("desktop"),
    Path("gui/test_end_to_end.py"),
    Path("gui/test_libraries.py"),
    Path("gui/test_loading.py"),
    Path("gui/viewer/pages"),
    Path("gui/viewer/test_real_library.py"),
    Path("integration"),
)
"""Where tests start the program's own children, or work on a whole library: seconds each."""
WITHOUT_PROCESSES = (
    Path("integration/index/folders/scan"),
    Path("integration/llm"),
)
CHILD_FIXTURES = {"app"}  # they start real children wherever they are used


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only what is marked neither `slow` nor `process`")


def pytest_configure(config: pytest.Config) -> None:
    # Generated examples are the same in every run, and no machine is too slow for them.
    settings.register_profile("fast", derandomize=True, deadline=None, max_examples=FAST_EXAMPLES)
    settings.register_profile("full", derandomize=True, deadline=None, max_examples=FULL_EXAMPLES)
    settings.load_profile("fast" if config.getoption("--fast") else "full")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spare `--fast` the imports of what it would leave out."""
    place = collection_path.relative_to(HERE) if collection_path.is_relative_to(HERE) else Path()
    return True if config.getoption("--fast") and collection_path.is_file() and starts_processes(place) else None


@pytest.hookimpl(tryfirst=True)  # before `-m` looks at the markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for name in markers(item):
            item.add_marker(name)
    if config.getoption("--fast"):
        slow = {item for item in items if any(item.get_closest_marker(name) for name in ("slow", "process"))}
        config.hook.pytest_deselected(items=[item for item in items if item in slow])
        items[:] = [item for item in items if item not in slow]


def pytest_collection_finish() -> None:
    # What is loaded by now stays: the collections of garbage between tests need not look at it.
    gc.collect()
    gc.freeze()


def markers(item: pytest.Item) -> list[str]:
    """Return the markers a test has by where it is, what it uses and how it is written."""
    found = [*markers_of_module(item.path)]
    if "process" not in found and CHILD_FIXTURES & fixtures(item):
        found.append("process")
    if hasattr(getattr(item, "obj", None), "hypothesis"):
        found.append("property")
    return found


@functools.cache
def markers_of_module(path: Path) -> tuple[str, ...]:
    place = path.relative_to(HERE)
    windows = ("window",) if within(place, WINDOWS) else ()
    return (*windows, "process") if starts_processes(place) else windows


def starts_processes(place: Path) -> bool:
    return within(place, PROCESSES) and not within(place, WITHOUT_PROCESSES)


def within(place: Path, places: tuple[Path, ...]) -> bool:
    return any(place.is_relative_to(each) for each in places)


def fixtures(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))
