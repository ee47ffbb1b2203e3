"""The messages to the model of each toolkit equal the golden transcripts; `transcripts` rewrites them."""

import pytest

from desktop_rag.agent.toolkits.registry import toolkit_names
from tests.integration.agent.transcripts import FOLDER, SCRIPTS, transcript

REWRITE = "To rewrite the transcripts: .venv/bin/python -m tests.integration.agent.transcripts"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_model_is_sent_what_its_transcript_says(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), REWRITE
    assert transcript(name) == path.read_text(encoding="utf-8"), REWRITE


def test_every_toolkit_has_a_transcript() -> None:
    assert set(SCRIPTS) == set(toolkit_names())
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCRIPTS), REWRITE
