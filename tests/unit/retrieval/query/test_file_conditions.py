import os
from dataclasses import replace

import pytest

from desktop_rag.index.records import Content, ContentId, FilePlace, FolderId
from desktop_rag.retrieval.query.file_conditions import fulfils
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.retrieval.query.tree import Dated

CONTENT = Content(ContentId(1), b"", "pdf", "Lease", "Ada Müller", "", "", "", 1, 1, 1, "")


def holds(query: str, path: str, mtime_ns: int = 0) -> bool:
    condition = parse(query).files
    assert condition is not None
    return fulfils(condition, CONTENT, FilePlace(FolderId(1), os.fsencode(path), 1, mtime_ns))


@pytest.mark.parametrize(
    ("query", "path", "expected"),
    [
        ("ext:pdf", "/a/b.pdf", True),
        ("ext:.PDF", "/a/b.pdf", True),
        ("ext:pdf", "/a.pdf/b", False),
        ("ext:gz", "/a/b.tar.gz", True),
        ("ext:tar.gz", "/a/b.tar.gz", True),
        ("ext:md", "/a/b.pdf", False),
        ("ext:p*", "/a/b.pdf", True),
        ("ext:gitignore", "/a/.gitignore", True),
        ("folder:papers", "/home/Papers/x/b.pdf", True),
        ("folder:paper", "/home/papers/b.pdf", False),
        ("folder:pap*", "/home/papers/b.pdf", True),
        ("folder:papers", "/home/papers", False),
        ("folder:papers/old", "/home/papers/old/b.pdf", True),
        ("folder:/home/papers/", "/home/papers/old/b.pdf", True),
        ("folder:apers/old", "/home/papers/old/b.pdf", False),
        ('folder:"My papers"', "/home/my papers/b.pdf", True),
        ("path:lease", "/home/Lease 2024.pdf", True),
        ("path:home/lease", "/home/lease.pdf", True),
        ("path:*.pdf", "/home/lease.pdf", True),
        ("path:lease*.pdf", "/home/lease 2024.pdf", True),
        ("path:ease*.pdf", "/home/lease 2024.pdf", False),
        (r"path:home\lease", "/home/lease.pdf", True),
        ("author:muller", "/a", True),
        ("author:bob", "/a", False),
        ("author:mull", "/a", False),
        ("author:mull*", "/a", True),
        ("name:contract", "/a/LeaseContract2024.pdf", True),
        ("name:2024", "/a/LeaseContract2024.pdf", True),
        ("name:act", "/a/LeaseContract2024.pdf", False),
        ("name:lockheed", "/a/LOCKHEEDMARTIN_2021_10K.pdf", True),
        ('name:"lockheed martin"', "/a/LOCKHEEDMARTIN_2021_10K.pdf", True),
        ('name:"Best Buy"', "/a/BESTBUY.pdf", True),
        ("name:martin", "/a/LOCKHEEDMARTIN_2021_10K.pdf", False),
        ("name:ease", "/a/LEASE_2024.pdf", False),
        ("name:leas", "/a/LEASE_2024.pdf", False),
        ("name:lock", "/a/lockheedmartin.pdf", False),
        ("name:lease*.pdf", "/a/lease 2024.pdf", True),
        ("name:—", "/a/—.pdf", True),
        ("name:会议", "/a/董事会议纪要.docx", True),
        ("-ext:pdf", "/a/b.pdf", False),
        ("ext:pdf OR ext:md", "/a/b.md", True),
        ("ext:pdf AND author:ada", "/a/b.pdf", True),
        ("+ext:pdf path:zzz", "/a/b.pdf", False),
    ],
)
def test_conditions_are_about_the_file(query: str, path: str, expected: bool) -> None:
    assert holds(query, path) is expected


def test_dates_include_their_first_moment_and_exclude_the_next_day() -> None:
    condition = parse("modified:2024-03-15").files
    assert isinstance(condition, Dated)
    first, end = condition.since_ns, condition.until_ns
    assert first is not None
    assert end is not None
    assert holds("modified:2024-03-15", "/a", first)
    assert not holds("modified:2024-03-15", "/a", first - 1)
    assert not holds("modified:2024-03-15", "/a", end)
    assert holds("modified:2024-03-15", "/a", end - 1)


@pytest.mark.parametrize(("query", "expected"), [("de", True), ("de-AT", True), ("German", True), ("french", False)])
def test_a_language_is_given_by_its_code_or_english_name(query: str, expected: bool) -> None:
    condition = parse(f"language:{query}").files
    assert condition is not None
    content = replace(CONTENT, language="de-AT")
    assert fulfils(condition, content, FilePlace(FolderId(1), b"/a", 1, 0)) is expected
