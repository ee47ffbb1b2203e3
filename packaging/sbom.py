"""Writes the software bill of materials of the frozen program: CycloneDX 1.6, JSON.

https://cyclonedx.org/docs/1.6/json/
"""

import hashlib
import json
import platform
import re
import uuid
from datetime import UTC, datetime
from importlib.metadata import Distribution, distribution
from pathlib import Path

from project import HOMEPAGE, NAME, ROOT, SUMMARY, VERSION, source_date

Json = dict[str, object]
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def write(target: Path, program: Path) -> Path:
    """Write the list for the frozen program in folder `program` and return it."""
    lock = (ROOT / "packaging" / "requirements.lock").read_text(encoding="utf-8")
    components = [component for component in map(_package, locked(lock), hashes(lock)) if component]
    components += [_python(), _encoder(program)]
    when = datetime.fromtimestamp(source_date(), UTC)
    names = [str(component["bom-ref"]) for component in components]
    described: Json = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{HOMEPAGE}@{VERSION}@{source_date()}')}",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": NAME,
                "name": NAME,
                "version": VERSION,
                "description": SUMMARY,
                "licenses": [{"license": {"id": "AGPL-3.0-or-later"}}],
            },
        },
        "components": components,
        "dependencies": [{"ref": NAME, "dependsOn": names}],
    }
    target.write_text(json.dumps(described, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


def locked(lock: str) -> list[tuple[str, str]]:
    """Return the names and versions of the locked packages."""
    return _PINNED.findall(lock)


def hashes(lock: str) -> list[list[str]]:
    """Return the SHA-256 sums that the lock file permits for each package, in the order of `locked`."""
    starts = [match.start() for match in _PINNED.finditer(lock)]
    parts = zip(starts, [*starts[1:], len(lock)], strict=True)
    return [_HASH.findall(lock[start:end]) for start, end in parts]


def _package(pinned: tuple[str, str], sums: list[str]) -> Json | None:
    """Return a package that is installed here, None for one of another system."""
    name, version = pinned
    try:
        found = distribution(name)
    except ModuleNotFoundError:
        return None
    purl = f"pkg:pypi/{name.lower()}@{version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": found.version,
        "purl": purl,
        "licenses": [_licence(found)],
        # The lock file has the sums of the wheels of all systems; one of them was installed.
        "properties": [{"name": f"{NAME}:locked-sha256", "value": digest} for digest in sums],
    }


def _licence(found: Distribution) -> Json:
    expressions = found.metadata.get_all("License-Expression")
    if expressions:
        return {"expression": expressions[0]}
    classifiers = [text for text in found.metadata.get_all("Classifier") or () if text.startswith("License ::")]
    texts = found.metadata.get_all("License") or [""]
    first_line = next(iter(texts[0].strip().splitlines()), "")
    named = classifiers[-1].rpartition(" :: ")[2] if classifiers else first_line
    return {"license": {"name": named or "see the licences that come with the program"}}


def _python() -> Json:
    version = platform.python_version()
    purl = f"pkg:generic/python@{version}"
    licence: Json = {"license": {"id": "Python-2.0"}}
    return {
        "type": "framework",
        "bom-ref": purl,
        "name": "python",
        "version": version,
        "purl": purl,
        "licenses": [licence],
    }


def _encoder(program: Path) -> Json:
    (model,) = program.rglob("model.onnx")
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model:{model.parent.name}",
        "name": model.parent.name,
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
