"""Turns the skips of chosen proofs into failures: `DESKTOP_RAG_REQUIRE=all`, or names of `PROOFS` with commas.

A proof that is skipped for want of a tool proves nothing, and nobody reads the list of skips. CONTRIBUTING.md says what
each needs, and where it may be skipped.
"""

import os
from collections.abc import Generator, Mapping

import pytest

VARIABLE = "DESKTOP_RAG_REQUIRE"
PROOFS: Mapping[str, tuple[str, ...]] = {
    "confinement": (
        "tests/integration/documents/test_confinement.py",
        "tests/integration/retrieval/service/test_confined_services.py",
    ),
    "network": (
        "tests/integration/test_no_network.py",
        "tests/integration/test_whole_path.py::test_only",
        "tests/integration/test_whole_path.py::test_no",
    ),
    "user": ("tests/integration/test_whole_path.py::test_another_user",),
    "screen": ("tests/desktop/test_desktop.py",),
    "conversion": ("tests/integration/index/indexer/test_conversion.py",),
    "team": ("tests/integration/team/",),
}


def required(node: str, wanted: str) -> str:
    """Return the proof that a test belongs to, if it is among the `wanted` ones; raise `ValueError` for other names."""
    names = PROOFS.keys() if wanted == "all" else {name.strip() for name in wanted.split(",") if name.strip()}
    if unknown := names - PROOFS.keys():
        raise ValueError(f"{VARIABLE} names {', '.join(sorted(unknown))}; there are {', '.join(PROOFS)}")
    return next((name for name in PROOFS if name in names and node.startswith(PROOFS[name])), "")


def pytest_report_header() -> str:
    wanted = os.environ.get(VARIABLE, "")
    required("", wanted)
    return f"proofs that may not be skipped: {wanted or 'none'}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and (proof := required(item.nodeid, os.environ.get(VARIABLE, ""))):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{VARIABLE} demands the proof “{proof}”, but: {reason}"
    return report
