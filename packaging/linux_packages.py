"""Packs the frozen program for Linux: a Debian package, and an archive with an installer for one user."""

import gzip
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import formatdate
from pathlib import Path
from typing import IO

import program_docs
import program_icons
from desktop_rag.cli.completion_command import completion_script
from frozen_files import OPTIONAL_LIBRARIES, SYSTEM_LIBRARIES, oldest_libc, system_libraries
from project import HOMEPAGE, MAINTAINER, NAME, ROOT, SUMMARY, VERSION, source_date, source_day

TEMPLATES = ROOT / "packaging" / "linux"
LEVEL = 6  # of xz; a higher one takes more memory on the user's machine, too

# Debian 13 and Ubuntu 24.04 renamed these packages when they changed the size of time on 32-bit machines.
_RENAMED = ("libarchive13", "libcups2", "libglib2.0-0", "libpng16-16", "libssl3")


def write_share(folder: Path) -> None:
    """Write what goes below `share/`: menu entry, description, icons, manual page, completions, licence."""
    files = {
        f"applications/{NAME}.desktop": (TEMPLATES / "desktop-rag.desktop").read_text(encoding="utf-8"),
        f"applications/{NAME}-link.desktop": (TEMPLATES / "desktop-rag-link.desktop").read_text(encoding="utf-8"),
        f"kio/servicemenus/{NAME}-search.desktop": (TEMPLATES / "search-in-desktop-rag.desktop").read_text("utf-8"),
        "metainfo/io.github.desktop_rag.desktop_rag.metainfo.xml": metainfo(),
        f"bash-completion/completions/{NAME}": completion_script("bash"),
        f"zsh/site-functions/_{NAME}": completion_script("zsh"),
        f"fish/vendor_completions.d/{NAME}.fish": completion_script("fish"),
    }
    for name, text in files.items():
        _write(folder / name, text.encode())
    _write(folder / f"man/man1/{NAME}.1.gz", _gzip(program_docs.manual(source_day()).encode()))
    for size in program_icons.SIZES:
        _write(folder / f"icons/hicolor/{size}x{size}/apps/{NAME}.png", program_icons.png(size))
    _write(folder / f"icons/hicolor/scalable/apps/{NAME}.svg", program_icons.SOURCE.read_bytes())


def metainfo() -> str:
    """Return the AppStream description of this version."""
    text = (TEMPLATES / "metainfo.xml").read_text(encoding="utf-8")
    address = f'  <url type="homepage">{HOMEPAGE}</url>\n' if HOMEPAGE else ""
    facts = {"@VERSION@": VERSION, "@DATE@": source_day(), "  @HOMEPAGE@\n": address}
    for mark, fact in facts.items():
        text = text.replace(mark, fact)
    return text


def needed_packages(program: Path) -> dict[str, str]:
    """Return the system's libraries that the frozen program needs, with the Debian packages that contain them."""
    return {name: SYSTEM_LIBRARIES[name] for name in system_libraries(program) if name not in OPTIONAL_LIBRARIES}


def dependencies(program: Path) -> tuple[str, str]:
    """Return the Debian packages that the frozen program depends on, and those it recommends."""
    wanted = set(needed_packages(program).values())
    libc = f"libc6 (>= {'.'.join(map(str, oldest_libc(program)))})"
    recommended = ", ".join(map(_either_name, sorted(OPTIONAL_LIBRARIES.values())))
    return ", ".join([libc, *map(_either_name, sorted(wanted))]), recommended


def _either_name(package: str) -> str:
    return f"{package}t64 | {package}" if package in _RENAMED else package


def _if_published(name: str) -> str:
    """Return a line that names the address of the publisher, nothing without one."""
    return f"{name}: {HOMEPAGE}\n" if HOMEPAGE else ""


def control(installed_bytes: int, depends: str, recommends: str) -> str:
    """Return the control file of the Debian package."""
    return f"""Package: {NAME}
Version: {VERSION}
Architecture: {architecture()}
Maintainer: {MAINTAINER}
Installed-Size: {-(-installed_bytes // 1024)}
Depends: {depends}
Recommends: {recommends}
Suggests: tesseract-ocr
Section: utils
Priority: optional
{_if_published("Homepage")}Description: {SUMMARY.split(",")[0].lower()} and ask questions about your documents
 Every word of your folders becomes searchable. Ask a question, watch the
 search, and open the exact line that supports each claim of the answer: with
 any language model, or with the one built in.
 .
 Everything is read, indexed and searched on this computer.
"""


def copyright_notice() -> str:
    """Return Debian's copyright file: our licence in full, and where those of the other packages are."""
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").splitlines()
    text = "\n".join(f" {line}" if line.strip() else " ." for line in licence)
    return f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Desktop RAG
{_if_published("Source")}
Files: *
Copyright: the Desktop RAG contributors
License: AGPL-3.0-or-later
Comment: The program contains Python, Qt and other free packages. Their licences are in
 /usr/lib/{NAME}/_internal/licences.

License: AGPL-3.0-or-later
{text}
"""


def architecture() -> str:
    """Return Debian's name of this machine's architecture."""
    return {"x86_64": "amd64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)


def build_deb(program: Path, output: Path, scratch: Path, *, level: int = LEVEL) -> Path:
    """Build the Debian package of the frozen program in folder `program` and return it; see deb(5)."""
    root = scratch / "deb"
    shutil.rmtree(root, ignore_errors=True)
    (root / "usr" / "lib").mkdir(parents=True)
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / NAME).symlink_to(f"../lib/{NAME}/{NAME}")
    share = root / "usr" / "share"
    write_share(share)
    (share / "zsh" / "site-functions").rename(share / "zsh" / "vendor-completions")  # where Debian's zsh looks
    doc = share / "doc" / NAME
    _write(doc / "copyright", copyright_notice().encode())
    _write(doc / "changelog.gz", _gzip(_changelog().encode()))
    places = {root: ".", program: f"./usr/lib/{NAME}"}
    files = {
        f"{place}/{path.relative_to(folder).as_posix()}".removeprefix("./"): path
        for folder, place in places.items()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
    sums = "".join(f"{hashlib.md5(file.read_bytes()).hexdigest()}  {name}\n" for name, file in files.items())
    described = scratch / "control"
    shutil.rmtree(described, ignore_errors=True)
    _write(described / "md5sums", sums.encode())
    size = sum(file.stat().st_size for file in files.values())
    _write(described / "control", control(size, *dependencies(program)).encode())
    members = {"debian-binary": b"2.0\n"}
    for name, content in (("control", {described: "."}), ("data", places)):
        packed = io.BytesIO()
        with _tape(packed, level) as tape:
            for folder, place in content.items():
                _add(tape, folder, place)
        members[f"{name}.tar.xz"] = packed.getvalue()
    target = output / f"{NAME}_{VERSION}_{architecture()}.deb"
    target.write_bytes(_ar(members))
    shutil.rmtree(root)
    return target


def build_archive(program: Path, output: Path, scratch: Path, *, level: int = LEVEL) -> Path:
    """Build the archive with `install.sh` and return it."""
    share = scratch / "share"
    shutil.rmtree(share, ignore_errors=True)
    write_share(share)
    _write(share / "doc" / NAME / "LICENSE", (ROOT / "LICENSE").read_bytes())
    libraries = "".join(f"{name} {package}\n" for name, package in needed_packages(program).items())
    _write(scratch / "libraries", libraries.encode())
    target = output / f"{NAME}-{VERSION}-linux-{os.uname().machine}.tar.xz"
    top = f"{NAME}-{VERSION}"
    with target.open("wb") as packed, _tape(packed, level) as tape:
        _add(tape, program, f"{top}/program")
        _add(tape, share, f"{top}/share")
        _add(tape, scratch / "libraries", f"{top}/libraries")
        _add(tape, TEMPLATES / "install.sh", f"{top}/install.sh")
    return target


def write_flatpak_manifest(archive: Path) -> Path:
    """Write the manifest that makes a Flatpak of the archive beside it, and return it."""
    name = "io.github.desktop_rag.desktop_rag.yml"
    facts = {"@ARCHIVE@": archive.name, "@SHA256@": hashlib.sha256(archive.read_bytes()).hexdigest()}
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    for mark, fact in facts.items():
        text = text.replace(mark, fact)
    _write(archive.parent / name, text.encode())
    return archive.parent / name


def build_appimage(program: Path, runtime: Path, output: Path, scratch: Path) -> Path:
    """Build an AppImage and return it: `runtime`, which mounts what follows it, and a file system with the program.

    https://github.com/AppImage/AppImageSpec/blob/master/draft.md, type 2.
    """
    root = scratch / "AppDir"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(program, root / "usr" / "lib" / NAME, symlinks=True)
    write_share(root / "usr" / "share")
    shutil.copy(root / "usr" / "share" / "applications" / f"{NAME}.desktop", root)
    shutil.copy(root / "usr" / "share" / "icons" / "hicolor" / "256x256" / "apps" / f"{NAME}.png", root)
    (root / ".DirIcon").symlink_to(f"{NAME}.png")
    _write(root / "AppRun", f'#!/bin/sh\nexec "$(dirname "$(readlink -f "$0")")/usr/lib/{NAME}/{NAME}" "$@"\n'.encode())
    (root / "AppRun").chmod(0o755)
    target, packed = output / f"{NAME}-{VERSION}-{os.uname().machine}.AppImage", scratch / "AppDir.squashfs"
    command = ["mksquashfs", str(root), str(packed), "-noappend", "-all-root", "-no-xattrs", "-quiet", "-no-progress"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(source_date())}
    options = ["-comp", "zstd", "-Xcompression-level", "19", "-b", "1M"]
    subprocess.run([*command, *options], env=environment, capture_output=True, check=True)
    with target.open("wb") as image:
        for part in (runtime, packed):
            with part.open("rb") as source:
                shutil.copyfileobj(source, image)
    target.chmod(0o755)
    shutil.rmtree(root)
    return target


@contextmanager
def _tape(packed: IO[bytes], level: int) -> Iterator[tarfile.TarFile]:
    """Yield an archive that is compressed with xz into an open file, machine code of x86 with the filter for it."""
    filters: list[Mapping[str, int]] = [{"id": lzma.FILTER_X86}] if os.uname().machine == "x86_64" else []
    filters.append({"id": lzma.FILTER_LZMA2, "preset": level})
    with (
        lzma.open(packed, "wb", filters=filters) as squeezed,
        tarfile.open(fileobj=squeezed, mode="w|", format=tarfile.GNU_FORMAT) as tape,
    ):
        yield tape


def _add(tape: tarfile.TarFile, source: Path, name: str) -> None:
    """Add a file or a folder in a fixed order, with the source's date and no owner."""
    date = source_date()

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = date
        entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        return entry

    for path in [source, *sorted(source.rglob("*"))] if source.is_dir() else [source]:
        inside = path.relative_to(source).as_posix()
        tape.add(path, name if inside == "." else f"{name}/{inside}", recursive=False, filter=plain)


def _ar(members: Mapping[str, bytes]) -> bytes:
    """Return an archive in the format of ar(5)."""
    archive = b"!<arch>\n"
    for name, data in members.items():
        archive += f"{name:<16}{source_date():<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode()
        archive += data + b"\n" * (len(data) % 2)
    return archive


def _changelog() -> str:
    when = formatdate(source_date())
    return f"""{NAME} ({VERSION}) stable; urgency=medium

  * Version {VERSION}; its changes are in CHANGELOG.md of the source.

 -- {MAINTAINER}  {when.replace("-0000", "+0000")}
"""


def _gzip(data: bytes) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as file:
        file.write(data)
    return packed.getvalue()


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    file.chmod(0o644)
