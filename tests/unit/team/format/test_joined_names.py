"""A team's server finds joined names by the same rule as a library of one's own."""

import json
import os
import re
from fnmatch import fnmatchcase

import pytest

from desktop_rag.index.records import Content, ContentId, FilePlace, FolderId
from desktop_rag.retrieval.query.file_conditions import has_name
from desktop_rag.retrieval.query.parser import parse
from desktop_rag.team.format.file_facts import condition, facts_of

CONTENT = Content(ContentId(1), b"", "pdf", "Report", "", "", "", "", 1, 1, 1, "")


@pytest.mark.parametrize("wanted", ["lockheed", "lockheed martin", "lockheedmartin", "lock", "martin", "lockheedmart"])
def test_the_start_of_a_name_in_capitals_is_a_wildcard(wanted: str) -> None:
    name = "LOCKHEEDMARTIN_2021_10K.pdf"
    facts = facts_of(CONTENT, [FilePlace(FolderId(1), os.fsencode(f"/a/{name}"), 1, 0)], [])
    node = parse(f'name:"{wanted}"').files
    assert node is not None
    patterns: list[str] = re.findall(r'"(\^[^"]*)"', json.dumps(condition(node)))
    written: list[str] = re.findall(r'"(\^[^"]*)"', json.dumps(facts))
    assert any(fnmatchcase(each, pattern) for each in written for pattern in patterns) == has_name(name, wanted)
