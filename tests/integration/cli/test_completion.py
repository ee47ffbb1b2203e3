"""The completions work in the real shells, with the names of this user."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.cli.conftest import Program

pytestmark = pytest.mark.processes

PROFILES = ("My server", "local")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Return a program with two endpoints, which shells find as `desktop-rag`."""
    home = tmp_path / "home"
    home.mkdir()
    profiles = [{"name": name, "base_url": "http://127.0.0.1:9/v1", "model": "m"} for name in PROFILES]
    (home / "settings.json").write_text(json.dumps({"profiles": profiles}), encoding="utf-8")
    command = tmp_path / "desktop-rag"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m desktop_rag "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "note.md").write_text("A note.\n", encoding="utf-8")
    (tmp_path / "other.txt").touch()
    return Program(home)


def run_shell(program: Program, shell: str, script: str, *arguments: str) -> list[str]:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    place = program.home.parent
    (place / "script").write_text(program.run("completion", shell).out, encoding="utf-8")
    path = f"{place}{os.pathsep}{os.environ['PATH']}"
    python_path = os.pathsep.join(filter(None, (str(Path.cwd()), os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [
            found,
            *(("-f",) if shell == "zsh" else ()),
            "-c",
            script,
            *(("completing",) if shell != "fish" else ()),
            *arguments,
        ],
        cwd=place,
        env={**program.environment, "PATH": path, "PYTHONPATH": python_path, "HOME": str(place)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.splitlines()


BASH = """
source ./script
COMP_WORDS=(desktop-rag "$@"); COMP_CWORD=$#
_shtab_desktop_rag 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
"""


def test_bash_completes_commands_options_names_and_files(program: Program) -> None:
    def completed(*words: str) -> list[str]:
        return run_shell(program, "bash", BASH, *words)

    assert completed("comp") == ["completion"]
    assert "--once" in completed("events", "--")
    assert completed("completion", "po") == ["powershell"]
    assert completed("ask", "--profile", "") == ["built-in", "My\\ server", "local"]
    assert completed("ask", "--toolkit", "single-s") == ["single-shot"]
    assert completed("ask", "--profile", "My\\ s") == ["My\\ server"]
    assert completed("search", "--library", "") == ["My\\ library"]
    assert completed("no") == ["note.md"], "a folder or file may stand in place of a verb"
    assert completed("open", "no") == ["note.md"]
    assert completed("mcp", "--add", "c") == ["claude-desktop", "claude-code", "cursor"]
    assert completed("settings", "limits.s") == ["limits.seconds", "limits.steps"]


def test_fish_completes_commands_options_and_names(program: Program) -> None:
    script = "source ./script; complete -C $argv[1]"

    def completed(line: str) -> list[str]:
        return [found.partition("\t")[0] for found in run_shell(program, "fish", script, f"desktop-rag {line}")]

    assert completed("comp") == ["completion"]
    assert "--once" in completed("events --")
    assert {"bash", "powershell"} <= set(completed("completion "))
    assert set(completed("ask --profile ")) == {"built-in", *PROFILES}
    assert completed("ask --toolkit single-s") == ["single-shot"]
    assert set(completed("mcp --add c")) == {"claude-desktop", "claude-code", "cursor"}
    assert "limits.steps" in completed("settings limits.s")
    assert completed("no") == completed("why no") == ["note.md"]


ZSH = r"""
zmodload zsh/zpty
mkdir -p functions && cp script functions/_desktop-rag
zpty shell zsh -f -i
wait_for() { local out= all=; while zpty -r -t shell out || { sleep 0.05; (( ++n < 400 )) }; do
  all+=$out; out=; [[ $all == *$1* ]] && break; done; print -r -- "$all" }
zpty -w shell "PS1=; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -d $PWD/dump"
zpty -w shell "zstyle ':completion:*' list-separator '|'; LISTMAX=1000; bindkey '^I' list-choices; print rea''dy"
n=0; wait_for ready >/dev/null
zpty -w -n shell "$1"$'\t'
n=0; wait_for "$2"
zpty -d shell
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("desktop-rag comp", "Print the completions for a shell"),
        ("desktop-rag events --", "nothing left to do"),
        ("desktop-rag completion ", "powershell"),
        ("desktop-rag ask --profile ", "built-in"),
        ("desktop-rag ask --profile M", "My\\ server"),
        ("desktop-rag no", "note.md"),
        ("desktop-rag note.md oth", "other.txt"),
        ("desktop-rag settings limits.s", "limits.steps"),
    ],
)
def test_zsh_offers_commands_options_and_names(program: Program, line: str, expected: str) -> None:
    assert expected in "\n".join(run_shell(program, "zsh", ZSH, line, expected))


def test_powershell_knows_every_command_and_list(program: Program) -> None:
    script = program.run("completion", "powershell").out
    assert "'_shtab_desktop_rag_events' = @('-h', '--help', '--json', '--library', '--once')" in script
    assert "'_shtab_desktop_rag_ask___profile' = '_desktop_rag_profiles'" in script
    assert "'_shtab_desktop_rag_settings_pos_0' = '_desktop_rag_settings'" in script
    assert "function _desktop_rag_settings {" in script
    assert script.count("{") == script.count("}")


def test_names_are_json_if_asked(program: Program) -> None:
    names = program.run("completion", "--list", "profiles", "--json").objects
    assert names == [{"type": "name", "name": name} for name in ("built-in", *PROFILES)]
    assert program.run("completion").code == 2
    assert program.run("completion", "tcsh").code == 2


@pytest.mark.parametrize("kind", ["libraries", "profiles", "programs"])
def test_a_name_is_offered_without_loading_what_answers(program: Program, kind: str) -> None:
    script = f"""
import sys
from desktop_rag.cli.program import run_verb
run_verb(["completion", "--list", "{kind}"])
print([name for name in ("desktop_rag.agent", "shtab", "numpy") if name in sys.modules], file=sys.stderr)
"""
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, env=program.environment, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout
    assert ran.stderr == "[]\n"
