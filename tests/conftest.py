"""How a run of the tests shows itself and is ordered, and how many examples a property test generates."""

import gc

import pytest
from hypothesis import settings
from xdist.remote import Producer

from tests.required_proofs import pytest_report_header, pytest_runtest_makereport
from tests.run_order import LongestFirst
from tests.run_progress import ProgressLine

__all__ = ["pytest_report_header", "pytest_runtest_makereport"]  # hooks

EXAMPLES = 20  # of a property test; `dev.py test slow` generates ten times as many


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=int, default=EXAMPLES, help="how many a property test generates")
    parser.addoption("--progress", action="store_true", help="one line of progress; the longest tests first")


def pytest_configure(config: pytest.Config) -> None:
    # Generated examples are the same in every run, and no machine is too slow for them.
    settings.register_profile("chosen", derandomize=True, deadline=None, max_examples=config.getoption("--examples"))
    settings.load_profile("chosen")


@pytest.hookimpl(trylast=True)  # the reporter of the terminal is there then
def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.getoption("--progress") and not hasattr(session.config, "workerinput") and reporter is not None:
        session.config.pluginmanager.register(ProgressLine(reporter), "progress line")


@pytest.hookimpl(optionalhook=True)  # not with -p no:xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LongestFirst | None:
    return LongestFirst(config, log) if config.getoption("--progress") else None


@pytest.hookimpl(tryfirst=True)  # before `-m` looks at the markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if hasattr(getattr(item, "obj", None), "hypothesis"):
            item.add_marker("property")


def pytest_collection_finish() -> None:
    # What is loaded by now stays: the collections of garbage between tests need not look at it.
    gc.collect()
    gc.freeze()
