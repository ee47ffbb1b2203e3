"""Builds the wheel with setuptools and adds the folder `resources/` and the pages of `docs/` as package data."""

import shutil
import tomllib
from pathlib import Path

from setuptools.build_meta import *  # noqa: F403  (the hooks of PEP 517, unchanged)
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

import translations

RESOURCES, GUIDES = Path("resources"), Path("docs")  # PEP 517 runs build hooks in the project's folder


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:  # type: ignore[no-redef]
    """Return what a wheel needs besides setuptools: the compiler of the languages, of the version the program uses."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [line for line in project["dependencies"] if line.startswith("PySide6-Essentials==")]


class BuildWithResources(build_py):
    """Copies `resources/` to where `desktop_rag.paths.resources` looks in an installed wheel."""

    def run(self) -> None:
        """Build the modules, then copy the resources; an editable install reads them in place."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "desktop_rag" / "resources"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(RESOURCES, target, ignore=shutil.ignore_patterns(".*", "*.ts"))
        shutil.copytree(GUIDES, target / "docs", ignore=shutil.ignore_patterns("screenshots"))
        if translations.compile_catalogues(target / "translations"):
            raise OSError("the catalogues of the languages could not be compiled")


class SourceWithResources(sdist):
    """Adds the files that a build from the source archive needs."""

    def add_defaults(self) -> None:
        """Add the resources and this folder to the default files."""
        super().add_defaults()
        self.filelist.recursive_include("resources", "*")
        self.filelist.recursive_include("packaging", "*")
        self.filelist.recursive_include("docs", "*.md")
        self.filelist.include("CHANGELOG.md")
