"""Folders of the file server as they are on this computer."""

from pathlib import Path

import pytest

from desktop_rag.errors import TeamMisconfigured
from desktop_rag.team.access.file_store import MountTable, mount_of


def test_the_longest_folder_that_fits_counts() -> None:
    table = MountTable([("/srv", "/mnt/all"), ("/srv/files/", "/mnt/files")])
    assert table.here(Path("/srv/files/a/b.pdf")) == Path("/mnt/files/a/b.pdf")
    assert table.here(Path("/srv/files2/b.pdf")) == Path("/mnt/all/files2/b.pdf")
    assert table.here(Path("/home/b.pdf")) == Path("/home/b.pdf")
    assert table.there(Path("/mnt/files/a/b.pdf")) == Path("/srv/files/a/b.pdf")
    assert table.there(Path("/home/b.pdf")) == Path("/home/b.pdf")


def test_a_share_of_windows_is_found_with_either_slash() -> None:
    table = MountTable([mount_of(r"//server/share = /mnt/share")])
    assert table.here(Path(r"\\server\share\year\b.pdf")) == Path("/mnt/share/year/b.pdf")


@pytest.mark.parametrize("text", ["", "/srv", "=/mnt", "/srv="])
def test_what_names_no_folder_is_refused(text: str) -> None:
    with pytest.raises(TeamMisconfigured, match="SERVER=HERE"):
        mount_of(text)
