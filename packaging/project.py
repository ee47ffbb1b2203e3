"""The name, version, date and addresses of what is being built; one source for all packages."""

import os
import re
import subprocess
import tomllib
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAME: str = PROJECT["name"]
_PACKAGE = (ROOT / "desktop_rag" / "__init__.py").read_text(encoding="utf-8")
(VERSION,) = re.findall(r'^__version__ = "(.+?)"', _PACKAGE, re.MULTILINE)
SUMMARY: str = PROJECT["description"]
HOMEPAGE = os.environ.get("DESKTOP_RAG_HOMEPAGE", "").rstrip("/")  # of whoever publishes; without it none is named
MAINTAINER = "The Desktop RAG contributors <desktop-rag@users.noreply.github.com>"


def source_date() -> int:
    """Return the time of the source in Unix seconds: `SOURCE_DATE_EPOCH`, or the time of the commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    command = ["git", "log", "-1", "--format=%ct"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return int(answer.stdout) if answer.returncode == 0 else int((ROOT / "pyproject.toml").stat().st_mtime)


def source_day() -> str:
    """Return the day of the source, UTC, as YYYY-MM-DD."""
    return datetime.fromtimestamp(source_date(), UTC).strftime("%Y-%m-%d")
