"""The models of the paper toolkits are sent what the stored transcripts say; `transcripts` tells how to renew them."""

import pytest

from desktop_rag.agent.toolkits.registry import toolkit_names
from tests.integration.agent.transcripts import FOLDER, SCRIPTS, transcript

OURS = ("full", "auto")  # no paper's system, and still growing


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_model_is_sent_what_its_transcript_says(name: str) -> None:
    assert transcript(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_system_of_the_papers_has_a_transcript() -> None:
    assert set(SCRIPTS) == set(toolkit_names()) - set(OURS)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCRIPTS)
