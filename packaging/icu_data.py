"""Reduces the data of Qt's ICU (32 MB) to what Qt reads of it, with the tools `icupkg` (ICU) and `gcc`.

Qt has locales of its own; it asks ICU for collation and time zones. Names of languages, regions, currencies, units and
time zones, transliterations, dictionaries for line breaks and converters for rare encodings are never read.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

UNREAD = re.compile(
    r"^(brkitr|curr|lang|rbnf|region|translit|unit|zone)/|\.cnv$|^unames\.icu$"
    r"|^[a-z]{2,3}(_\w+)?\.res$"  # locales: names and formats of dates and numbers
    r"|^(genderList|grammaticalFeatures|langInfo|plural(s|Ranges)|units)\.res$|\.spp$|^confusables\.cfu$|^uts46\.nrm$"
)
_TOOLS = {"icupkg": "icu-devtools", "gcc": "gcc", "readelf": "binutils"}
_SYMBOL = re.compile(r"\s([0-9a-f]{16})\s+(0x[0-9a-f]+|\d+)\s+OBJECT\s+GLOBAL\s+DEFAULT\s+\d+\s+(icudt\d+_dat)\b")
_ASSEMBLY = """
.section .rodata
.balign 16
.global {symbol}
.type {symbol}, @object
{symbol}: .incbin "{data}"
.size {symbol}, . - {symbol}
.section .note.GNU-stack,"",@progbits
"""


def _path() -> str:
    """Return where programs are looked for: Debian has icupkg in a folder that ordinary users do not have there."""
    return os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin"))


def missing_packages() -> list[str]:
    """Return the Debian packages of the tools that reduce the data, as far as these are not installed."""
    return [package for tool, package in _TOOLS.items() if shutil.which(tool, path=_path()) is None]


def reduce_data(library: Path, target: Path) -> Path:
    """Write a reduced copy of `libicudata.so.N` to `target` and return it; raise ValueError for another file."""
    found = _SYMBOL.search(_run(library.parent, "readelf", "-Ws", "--dyn-syms", str(library.resolve())))
    if found is None:
        raise ValueError(f"{library} holds no ICU data")
    address, length, symbol = int(found[1], 16), int(found[2], 0), found[3]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        whole = folder / f"{symbol.removesuffix('_dat')}l.dat"  # icupkg takes the prefix of the items from this name
        # The only loaded section before it is mapped at its own offset, so the address is the offset.
        whole.write_bytes(library.read_bytes()[address : address + length])
        items = _run(folder, "icupkg", "-l", whole.name).split()
        (folder / "unread.txt").write_text("\n".join(item for item in items if UNREAD.search(item)) + "\n")
        (folder / "reduced").mkdir()
        _run(folder, "icupkg", "-r", "unread.txt", whole.name, f"reduced/{whole.name}")
        (folder / "data.s").write_text(_ASSEMBLY.format(symbol=symbol, data=f"reduced/{whole.name}"))
        linking = ["-shared", "-nostdlib", f"-Wl,-soname,{library.name}", "-Wl,--build-id=none", "-o", str(target)]
        _run(folder, "gcc", "data.s", *linking)
    return target


def _run(folder: Path, *command: str) -> str:
    environment = {**os.environ, "PATH": _path()}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout
