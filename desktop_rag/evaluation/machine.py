"""The machine that a measurement was made on, without which times cannot be compared."""

import importlib.util
import os
import platform
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

# Instruction sets that decide the speed of vector and matrix code, by their Linux names.
_INSTRUCTION_SETS = (
    "sse4_2", "avx", "avx2", "fma", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_int8", "asimd", "asimddp",
    "i8mm", "sve",
)  # fmt: skip
_CPUINFO = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts that make two runs comparable; `instruction_sets` is empty if the system does not report them."""

    cpu: str
    instruction_sets: tuple[str, ...]
    cores: int
    memory_gb: float
    system: str
    python: str

    def describe(self) -> str:
        """Return the facts in one line."""
        sets = f" ({' '.join(self.instruction_sets)})" if self.instruction_sets else ""
        return f"{self.cpu}{sets}, {self.cores} cores, {self.memory_gb:.0f} GB, {self.system}, Python {self.python}"

    def json(self) -> dict[str, str | int | float | list[str]]:
        """Return the facts as JSON values."""
        return {**asdict(self), "instruction_sets": list(self.instruction_sets)}


def this_machine() -> Machine:
    """Return the facts of the machine this runs on."""
    facts = _cpuinfo()
    flags = set((facts.get("flags") or facts.get("Features") or "").split())
    return Machine(
        facts.get("model name") or platform.processor() or platform.machine(),
        tuple(name for name in _INSTRUCTION_SETS if name in flags),
        usable_cores(),
        round(psutil.virtual_memory().total / 1024**3, 1),
        f"{platform.system()} {platform.release()} {platform.machine()}",
        platform.python_version(),
    )


def usable_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cpuinfo() -> dict[str, str]:
    """Return the fields of the first core in /proc/cpuinfo; empty on other systems."""
    if not _CPUINFO.exists():
        return {}
    first = _CPUINFO.read_text(encoding="utf-8", errors="replace").split("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


# Optional packages that an evaluation needs or compares with; they are not installed with the program.

INSTALL = "pip install 'desktop-rag[eval]'"


def absent(peer: str, *modules: str, install: str = INSTALL) -> str:
    """Return a sentence naming the modules of `peer` that are not installed, or ""; imports nothing."""
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return f"{peer} is left out: {', '.join(missing)} is not installed ({install})." if missing else ""
