"""Builds the wheel with setuptools and adds the folder `resources/` and the pages of `docs/` as package data.

Both the wheel and the source archive hold the sentence encoder; without it neither is built.
"""

import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  (the hooks of PEP 517, unchanged but for those below)
from setuptools.command.build_py import build_py

import encoder
import translations

RESOURCES, GUIDES = Path("resources"), Path("docs")  # PEP 517 runs build hooks in the project's folder


def demand_encoder() -> None:
    """End the build with a sentence if the sentence encoder, which is no part of the repository, is not there."""
    if not encoder.ready(RESOURCES / "models" / encoder.NAME):
        sys.exit(
            f"{RESOURCES / 'models' / encoder.NAME} holds no sentence encoder of this version, which a wheel and a "
            "source archive bring with them. Run `python3 packaging/dev.py setup` here once, then build again."
        )


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:  # type: ignore[no-redef]
    """Return what a wheel needs besides setuptools: the compiler of the languages, of the version the program uses."""
    demand_encoder()  # before anything is downloaded
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [line for line in project["dependencies"] if line.startswith("PySide6-Essentials==")]


def build_sdist(sdist_directory: str, config_settings: Mapping[str, str] | None = None) -> str:  # type: ignore[no-redef]
    """Build the source archive, to which `MANIFEST.in` adds what a build from it needs."""
    demand_encoder()
    return str(build_meta.build_sdist(sdist_directory, config_settings))


class BuildWithResources(build_py):
    """Copies `resources/` to where `desktop_rag.paths.resources` looks in an installed wheel."""

    def run(self) -> None:
        """Build the modules, then copy the resources; an editable install reads them in place."""
        super().run()
        if self.editable_mode:
            return
        demand_encoder()
        target = Path(self.build_lib) / "desktop_rag" / "resources"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(RESOURCES, target, ignore=shutil.ignore_patterns(".*", "*.ts"))
        shutil.copytree(GUIDES, target / "docs", ignore=shutil.ignore_patterns("screenshots"))
        if translations.compile_catalogues(target / "translations"):
            raise OSError("the catalogues of the languages could not be compiled")
