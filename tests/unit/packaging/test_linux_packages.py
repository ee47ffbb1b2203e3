"""The packages for Linux: what they declare is valid, and the installer for one user does and undoes what it says."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import linux_packages
import program_docs
import program_icons
from desktop_rag.cli.verb_parsers import VERBS
from desktop_rag.gui.window.screen_check import qt_folder
from frozen_files import system_libraries
from program_docs import commands
from project import NAME, ROOT, VERSION

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="packages for Linux")
SCRIPT = linux_packages.TEMPLATES / "install.sh"


def tool(name: str) -> str:
    """Return the path of a program, or skip the test."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    linux_packages.write_share(folder)
    return folder


def test_the_menu_entry_is_valid(share: Path) -> None:
    entry = share / "applications" / f"{NAME}.desktop"
    subprocess.run([tool("desktop-file-validate"), "--warn-kde", str(entry)], check=True)
    assert "inode/directory" not in entry.read_text(), "it would become the file manager where none is the default"


def test_the_entry_for_links_is_valid_and_not_in_the_menu(share: Path) -> None:
    entry = share / "applications" / f"{NAME}-link.desktop"
    subprocess.run([tool("desktop-file-validate"), str(entry)], check=True)
    lines = entry.read_text().splitlines()
    assert {"MimeType=x-scheme-handler/desktop-rag;", f"Exec={NAME} %u", "NoDisplay=true"} <= set(lines)


def test_the_description_for_software_centres_is_valid(share: Path) -> None:
    (description,) = (share / "metainfo").iterdir()
    command = [tool("appstreamcli"), "validate", "--no-net", "--explain", str(description)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
    assert f'version="{VERSION}"' in description.read_text()


def test_the_icons_have_their_sizes_and_are_not_empty(share: Path) -> None:
    from PIL import Image

    for size in program_icons.SIZES:
        with Image.open(share / f"icons/hicolor/{size}x{size}/apps/{NAME}.png") as picture:
            assert picture.size == (size, size)
            assert len(picture.convert("RGBA").getcolors(size * size) or ()) > 8


def test_the_icons_of_other_systems_hold_several_sizes(tmp_path: Path) -> None:
    from PIL import Image

    program_icons.write_ico(tmp_path / "a.ico")
    program_icons.write_icns(tmp_path / "a.icns")
    with Image.open(tmp_path / "a.ico") as icon:
        assert {(16, 16), (32, 32), (256, 256)} <= set(icon.info["sizes"])
    with Image.open(tmp_path / "a.icns") as icon:
        assert (512, 512, 2) in icon.info["sizes"]


def test_the_manual_names_every_verb_and_option_and_has_no_mistakes(tmp_path: Path) -> None:
    page = program_docs.manual("2026-01-01")
    plain = page.replace("\\-", "-")
    for command in commands():
        assert all(flag in plain for option in command.options for flag in option.flags)
    assert all(f".SH VERB {verb.upper()}" in page for verb in VERBS)
    codes = re.findall(r"^\| (\d+) \|", (ROOT / "docs/command-line.md").read_text(encoding="utf-8"), re.MULTILINE)
    status = page.partition(".SH EXIT STATUS")[2]
    assert codes[:2] == ["0", "1"]
    assert all(re.search(rf"\b{code} if|{code} for", status) for code in codes)
    file = tmp_path / "page.1"
    file.write_text(page, encoding="utf-8")
    reading = [tool("man"), "--warnings", "-E", "UTF-8", "-l", str(file)]
    result = subprocess.run(reading, env={**os.environ, "MANWIDTH": "80"}, capture_output=True, text=True, check=True)
    assert not result.stderr
    assert "--library NAME|DIR" in result.stdout


def test_bash_completes_verbs_options_and_choices(share: Path) -> None:
    script = share / "bash-completion" / "completions" / NAME
    ask = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 ))
_shtab_desktop_rag 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
"""

    def completed(*words: str) -> list[str]:
        command = [tool("bash"), "-c", ask, "bash", str(script), NAME, *words]
        return subprocess.run(command, cwd="/", capture_output=True, text=True, check=True).stdout.split()

    assert completed("sea") == ["search"]
    assert "--mode" in completed("search", "--")
    assert completed("search", "--mode", "hyb") == ["hybrid", "hybrid+rerank"]
    assert completed("--dem") == ["--demo"]


@pytest.mark.parametrize(
    ("shell", "place"), [("zsh", f"zsh/site-functions/_{NAME}"), ("fish", f"fish/vendor_completions.d/{NAME}.fish")]
)
def test_completions_of_other_shells_parse(share: Path, shell: str, place: str) -> None:
    subprocess.run([tool(shell), "-n", str(share / place)], check=True)


def test_fish_completes_verbs_and_choices(share: Path) -> None:
    script = share / "fish" / "vendor_completions.d" / f"{NAME}.fish"
    ask = f"source {script}; complete -C 'desktop-rag sea'; complete -C 'desktop-rag search --mode key'"
    result = subprocess.run([tool("fish"), "-N", "-c", ask], capture_output=True, text=True, check=True)
    assert "search\t" in result.stdout
    assert "keyword" in result.stdout


def test_the_shell_scripts_pass_shellcheck() -> None:
    root = ROOT / "packaging"
    scripts = [str(path) for folder in ("linux", "macos") for path in (root / folder).glob("*.sh")]
    subprocess.run([tool("shellcheck"), *scripts], check=True)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the archive of a program of two small files."""
    folder = tmp_path_factory.mktemp("archive")
    program = stand_in(folder / "program", "1")
    return linux_packages.build_archive(program, folder, folder / "scratch", level=1)


def stand_in(folder: Path, answer: str) -> Path:
    (folder / "_internal").mkdir(parents=True)
    (folder / NAME).write_text(f'#!/bin/sh\necho {answer} "$@"\n')
    (folder / NAME).chmod(0o755)
    (folder / "_internal" / f"data-{answer}.txt").write_text("data")
    return folder


def unpack(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as tape:
        tape.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.2 has none
        tape.extractall(folder)
    return folder / f"{NAME}-{VERSION}"


def run(script: Path, home: Path, *arguments: str, code: int = 0) -> str:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    command = ["sh", str(script), *arguments]
    result = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert result.returncode == code, result.stdout + result.stderr
    return result.stdout + result.stderr


def files(folder: Path) -> set[str]:
    """Return the files below `folder` without the desktop's own cache."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    return {file for file in found if not file.endswith("/mimeinfo.cache")}


@pytest.mark.parametrize("name", ["home", 'Jürgen "50 %" O\'Néil $x `y` \\z'])
def test_install_upgrade_and_uninstall_for_one_user(archive: Path, tmp_path: Path, name: str) -> None:
    home = tmp_path / name
    data = home / ".local" / "share" / NAME
    data.mkdir(parents=True)
    (data / "settings.json").write_text("{}")
    (home / ".local" / "share" / "applications").mkdir()
    other = home / ".local" / "share" / "applications" / "other.desktop"
    other.write_text("")
    before = files(home)
    unpacked = unpack(archive, tmp_path / "first")
    run(unpacked / "install.sh", home)
    program = home / ".local" / "bin" / NAME
    assert subprocess.run([str(program), "x"], capture_output=True, text=True, check=True).stdout == "1 x\n"
    entry = home / ".local" / "share" / "applications" / f"{NAME}.desktop"
    subprocess.run([tool("desktop-file-validate"), str(entry)], check=True)

    shutil.rmtree(unpacked / "program")
    stand_in(unpacked / "program", "2")
    (unpacked / "share" / "metainfo").rename(unpacked / "share" / "newer")
    run(unpacked / "install.sh", home)
    assert subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout == "2\n"
    assert not (home / ".local" / "lib" / NAME / "_internal" / "data-1.txt").exists()
    assert not (home / ".local" / "share" / "metainfo").exists(), "what the new version no longer has is removed"

    printed = run(home / ".local" / "lib" / NAME / "install.sh", home, "--uninstall")
    assert "its data stays" in printed
    assert files(home) == before


def test_the_entry_starts_the_program_in_a_folder_with_odd_letters(archive: Path, tmp_path: Path) -> None:
    home = tmp_path / 'A "b" $c `d` 50 % \\e'
    home.mkdir()
    run(unpack(archive, tmp_path) / "install.sh", home)
    entry = home / ".local" / "share" / "applications" / f"{NAME}.desktop"
    (line,) = (line for line in entry.read_text().splitlines() if line.startswith("Exec="))
    quoted = line.removeprefix("Exec=").removesuffix(" %F")
    # The desktop entry specification: first the escapes of a string, then those of a quoted argument, then %%.
    string = quoted.replace("\\\\", "\\")
    assert (string[0], string[-1]) == ('"', '"')
    argument = ""
    rest = iter(string[1:-1])
    for letter in rest:
        argument += next(rest) if letter == "\\" else letter
    assert Path(argument.replace("%%", "%")) == home / ".local" / "bin" / NAME


def test_uninstalling_deletes_the_data_when_asked_to(archive: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    data = home / ".local" / "share" / NAME
    data.mkdir(parents=True)
    (data / "settings.json").write_text("{}")
    run(unpack(archive, tmp_path) / "install.sh", home)
    run(home / ".local" / "lib" / NAME / "install.sh", home, "--uninstall", "--delete-data")
    assert not files(home)


def test_the_data_can_be_deleted_after_the_program_was_removed(archive: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    data = home / ".local" / "share" / NAME
    data.mkdir(parents=True)
    (data / "settings.json").write_text("{}")
    script = unpack(archive, tmp_path) / "install.sh"
    run(script, home)
    run(script, home, "--uninstall")
    assert data.is_dir()
    assert "data of Desktop RAG is removed" in run(script, home, "--uninstall", "--delete-data")
    assert not files(home)
    assert "not installed" in run(script, home, "--uninstall", "--delete-data", code=1)


def test_the_installer_names_the_packages_of_missing_libraries(archive: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    unpacked = unpack(archive, tmp_path)
    plugin = qt_folder() / "plugins" / "platforms" / "libqxcb.so"
    altered = re.sub(rb"lib(X11-xcb|xcb)\.so\.1\0", rb"lib\1.so.9\0", plugin.read_bytes())
    (unpacked / "program" / "_internal" / plugin.name).write_bytes(altered)
    (unpacked / "libraries").write_text("libX11-xcb.so.9 libx11-xcb9\nlibxcb.so.9 libxcb9\nlibGL.so.1 libgl1\n")
    said = run(unpacked / "install.sh", home)
    assert "lacks libraries that the window needs: libX11-xcb.so.9 libxcb.so.9 \n" in said
    assert "sudo apt-get install libx11-xcb9 libxcb9 \n" in said


def test_the_installer_explains_what_it_cannot_do(archive: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    script = unpack(archive, tmp_path) / "install.sh"
    assert "not installed" in run(script, home, "--uninstall", code=1)
    assert "usage:" in run(script, home, "--purge", code=2)
    shutil.rmtree(script.parent / "program")
    assert "no program" in run(script, home, code=1)
    assert not files(home)


def test_two_archives_of_one_program_are_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    program = stand_in(tmp_path / "program", "1")
    built = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        os.utime(program / NAME)
        built.append(linux_packages.build_archive(program, tmp_path / name, tmp_path / "s", level=1).read_bytes())
    assert built[0] == built[1]


def test_the_debian_package_declares_what_it_needs_and_contains(tmp_path: Path) -> None:
    tool("dpkg-deb")
    program = tmp_path / "program"
    stand_in(program, "1")
    shutil.copy(tool("readelf"), program / "_internal" / "tool")  # an ELF file, which links to libc and others
    if system_libraries(program) != ["libz.so.1"]:
        (program / "_internal" / "tool").unlink()
    package = linux_packages.build_deb(program, tmp_path, tmp_path / "scratch", level=1)
    fields = subprocess.run(["dpkg-deb", "--field", str(package)], capture_output=True, text=True, check=True).stdout
    assert f"Version: {VERSION}\n" in fields
    assert "Depends: libc6 (>= 2." in fields
    listing = subprocess.run(["dpkg-deb", "--contents", str(package)], capture_output=True, text=True, check=True)
    for place in (f"usr/lib/{NAME}/{NAME}", f"usr/share/man/man1/{NAME}.1.gz", f"usr/share/doc/{NAME}/copyright"):
        assert f"./{place}" in listing.stdout
    assert f"./usr/bin/{NAME} -> ../lib/{NAME}/{NAME}" in listing.stdout
    assert all(line.split()[1] == "root/root" for line in listing.stdout.splitlines())
    lint = [tool("lintian"), "--fail-on", "error", str(package)]
    result = subprocess.run(lint, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout
