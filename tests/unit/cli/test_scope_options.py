from pathlib import Path

import pytest

from desktop_rag.cli.scope_options import scope_filters, scope_text
from desktop_rag.cli.verb_parsers import verb_parser
from desktop_rag.retrieval.query.tree import FileField, Filter


def filters(*arguments: str) -> tuple[Filter, ...]:
    return scope_filters(verb_parser().parse_args(["ask", "what?", *arguments]))


def test_without_options_everything_is_searched() -> None:
    assert filters() == ()


def test_each_option_is_a_filter() -> None:
    chosen = filters(
        "--folder", "papers", "--file", "lease", "--type", "pdf", "--since", "2023", "--until", "last month"
    )
    assert scope_text(chosen) == 'folder:"papers" name:"lease" ext:"pdf" date:[2023 TO last month]'
    assert filters("--until", "2023-02") == (Filter(FileField.DATE, "* TO 2023-02"),)


def test_repeated_options_are_alternatives_of_one_field() -> None:
    assert {each.field for each in filters("--file", "a.md", "--file", "./b.md")} == {FileField.PATH}


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert filters("--folder", ".") == (Filter(FileField.FOLDER, str(tmp_path)),)
    assert filters("--file", "in/lease.md") == (Filter(FileField.PATH, str(tmp_path / "in" / "lease.md")),)


@pytest.mark.parametrize("bad", [["--since", "soon"], ["--until", "*"], ["--folder", " "], ["--since", "2024-13"]])
def test_bad_values_are_refused(bad: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        filters(*bad)
    assert ended.value.code == 2
    assert "error: argument" in capsys.readouterr().err
