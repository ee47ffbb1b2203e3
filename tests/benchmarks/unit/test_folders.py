from pathlib import Path

from benchmarks.libraries.folders import write_folder

PASSAGES = [f"Passage {n} speaks of boats." for n in range(300)]


def test_a_folder_holds_every_passage_once_in_as_many_files_as_asked(tmp_path: Path) -> None:
    write_folder(tmp_path, PASSAGES, 120)
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    assert len(files) == 120
    text = "\n".join(file.read_text() for file in files)
    assert all(passage in text for passage in PASSAGES)
    assert len({file.read_bytes() for file in files}) == 120
    assert {file.parent.name for file in files} == {"part 000", "part 001"}


def test_the_same_passages_give_the_same_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_folder(tmp_path / name, PASSAGES, 10)
    one, other = ({f.name: f.read_bytes() for f in (tmp_path / name).rglob("*.*")} for name in ("a", "b"))
    assert one == other


def test_there_may_be_more_files_than_passages(tmp_path: Path) -> None:
    write_folder(tmp_path, PASSAGES[:3], 10)
    assert len([file for file in tmp_path.rglob("*.*") if file.is_file()]) == 10
