"""Packs the frozen program as an MCP bundle (`.mcpb`), which Claude Desktop and others install with a double click.

    python packaging/mcpb.py [--program dist/desktop-rag] [--output dist]

A bundle is an archive of a `manifest.json` (format 0.3), an icon, and below `server/` the program that the
host starts: it needs nothing else on the computer, and shares its library with an installed program.
"""

import argparse
import json
import os
import sys
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import program_icons
from desktop_rag.mcp_server.tool_answers import ToolAnswers
from project import HOMEPAGE, NAME, PROJECT, ROOT, SUMMARY, VERSION, source_date

FORMAT = "0.3"
ICON = 512  # pixels


def manifest(system: str, executable: str) -> dict[str, object]:
    """Return the description of a bundle for `sys.platform` == `system`."""
    start = {"command": f"${{__dirname}}/server/{executable}", "args": ["mcp"], "env": {}}
    address = {"homepage": HOMEPAGE} if HOMEPAGE else {}
    return {
        "manifest_version": FORMAT,
        "name": NAME,
        "display_name": "Desktop RAG",
        "version": VERSION,
        "description": SUMMARY,
        "long_description": (
            "Searches and reads the documents in the folders of your Desktop RAG library, and checks the citations of "
            "answers against their lines. Choose the folders in its window, or with `desktop-rag index FOLDER`."
        ),
        "author": {"name": "The Desktop RAG contributors"},
        "license": PROJECT["license"],
        **address,
        "icon": "icon.png",
        "server": {"type": "binary", "entry_point": f"server/{executable}", "mcp_config": start},
        "tools": [{"name": spec.name, "description": spec.description} for spec in ToolAnswers.specs()],
        "prompts_generated": True,
        "keywords": ["documents", "search", "citations"],
        "compatibility": {"platforms": [system]},
    }


def write(program: Path, output: Path) -> Path:
    """Pack the frozen program in the folder `program`; return the bundle."""
    executable = NAME + (".exe" if os.name == "nt" else "")
    if not (program / executable).is_file():
        raise SystemExit(f"{program / executable} is missing: make it with `python3 packaging/dev.py build`.")
    target = output / f"{NAME}-{VERSION}-{sys.platform}.mcpb"
    target.parent.mkdir(parents=True, exist_ok=True)
    described = json.dumps(manifest(sys.platform, executable), ensure_ascii=False, indent=2)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as bundle:
        bundle.writestr(_entry("manifest.json", 0o644), described)
        bundle.writestr(_entry("icon.png", 0o644), program_icons.png(ICON))
        for file in sorted(program.rglob("*")):
            if file.is_file():  # what a link leads to, too: hosts unpack no links
                mode = 0o755 if os.access(file, os.X_OK) else 0o644
                name = f"server/{file.relative_to(program).as_posix()}"
                bundle.writestr(_entry(name, mode), file.read_bytes())
    return target


def _entry(name: str, mode: int) -> zipfile.ZipInfo:
    date = datetime.fromtimestamp(source_date(), UTC)
    entry = zipfile.ZipInfo(name, (date.year, date.month, date.day, date.hour, date.minute, date.second))
    entry.create_system, entry.external_attr = 3, mode << 16  # as on Unix: hosts give the program its rights
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def main(arguments: Sequence[str] | None = None) -> int:
    """Pack a bundle; return the exit code."""
    parser = argparse.ArgumentParser(prog="mcpb", description=__doc__)
    parser.add_argument("--program", type=Path, default=ROOT / "dist" / NAME, help="folder of the frozen program")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="folder of the bundle")
    options = parser.parse_args(arguments)
    bundle = write(options.program.resolve(), options.output.resolve())
    print(f"{bundle} ({bundle.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
