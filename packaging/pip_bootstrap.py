"""Creates the virtual environment, and installs pip into it if Debian split off ensurepip.

Standard library only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import machine
from machine import SetupError

PIP = "26.3"
PIP_WHEEL = f"pip-{PIP}-py3-none-any.whl"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
INDEX = "https://pypi.org/simple"


def make_environment(folder: Path, python: Path) -> None:
    """Create a fresh virtual environment with pip in `folder`, whose interpreter will be `python`.

    Tries in this order: the venv module; the same after installing python3-venv, if permitted; without ensurepip, with
    a downloaded pip.
    """
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    reason = ""
    if not machine.has_ensurepip():
        reason = machine.apt_install([f"{version}-venv"], "which Debian packages separately")
        importlib.invalidate_caches()
    if machine.has_ensurepip():
        _run([sys.executable, "-m", "venv", "--clear", str(folder)], "The environment was not made")
        return
    print(f"Installing pip another way: {reason or 'python3-venv did not help'}", flush=True)
    command = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)]
    _run(command, "The environment was not made")
    if importlib.util.find_spec("pip") is not None:
        command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
        _run([*command, f"pip=={PIP}"], "pip could not be installed into the environment")
    else:
        _bootstrap(python, version)


def _bootstrap(python: Path, version: str) -> None:
    """Install pip by running it from inside its own wheel."""
    with tempfile.TemporaryDirectory() as scratch:
        wheel = Path(scratch) / PIP_WHEEL
        try:
            wheel.write_bytes(_download())
        except (OSError, ValueError) as error:
            line = machine.apt_line([f"{version}-venv"])
            raise SetupError(
                f"pip cannot be installed on this machine ({error}).\n"
                f"On Debian or Ubuntu an administrator runs:\n  {line}\nThen start again."
            ) from error
        command = [str(python), str(wheel / "pip"), "install", "-q", "--no-index", str(wheel)]
        _run(command, "pip could not be installed into the environment")


def _download() -> bytes:
    """Return the pip wheel from the configured package index; raise `ValueError` if its hash differs."""
    page = os.environ.get("PIP_INDEX_URL", INDEX).rstrip("/") + "/pip/"
    with urllib.request.urlopen(page, timeout=60) as answer:
        links = re.findall(r'href="([^"]+)"', answer.read().decode("utf-8"))
    matching = [link for link in links if link.split("#")[0].endswith(PIP_WHEEL)]
    if not matching:
        raise ValueError(f"{page} has no {PIP_WHEEL}")
    address = urllib.parse.urljoin(page, matching[0].split("#")[0])
    with urllib.request.urlopen(address, timeout=60) as answer:
        blob: bytes = answer.read()
    if hashlib.sha256(blob).hexdigest() != PIP_SHA256:
        raise ValueError(f"{PIP_WHEEL} is not the published file")
    return blob


def _run(command: list[str], problem: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise SetupError(f"{problem}:\n{(result.stdout + result.stderr).strip()[-2000:]}")
