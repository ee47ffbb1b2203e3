"""What the frozen program leaves out, and that nothing it needs is left out with it."""

import ast
import importlib
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import PIL
import pytest

import frozen_files
import icu_data
import secret_service_cipher
from frozen_files import reachable

linux = pytest.mark.skipif(sys.platform != "linux" or shutil.which("readelf") is None, reason="ELF files of Linux")


def test_a_library_stays_while_a_module_or_a_plugin_links_to_it() -> None:
    links = {
        "lxml/etree.cpython-311-x86_64-linux-gnu.so": ["libxslt.so.1"],
        "libxslt.so.1": ["libxml2.so.2", "libc.so.6"],
        "libxml2.so.2": [],
        "PySide6/Qt/plugins/platforms/libqxcb.so": ["libxcb-cursor.so.0"],
        "libxcb-cursor.so.0": [],
        "libgtk-3.so.0": ["libcairo.so.2"],
        "libcairo.so.2": [],
    }
    assert reachable(links) == {
        *("etree.cpython-311-x86_64-linux-gnu.so", "libxslt.so.1", "libxml2.so.2"),
        *("libqxcb.so", "libxcb-cursor.so.0"),
    }


def test_what_the_system_has_is_not_collected() -> None:
    links = {"a.cpython-311-x86_64-linux-gnu.so": ["libssl.so.3"], "libssl.so.3": ["libcrypto.so.3"]}
    assert reachable(links) == {"a.cpython-311-x86_64-linux-gnu.so"}


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqlinuxfb.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", False),
        ("PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so", True),
        ("PySide6/Qt/plugins/wayland-shell-integration/libivi-shell.so", False),
        ("numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", True),
        ("numpy/_core/_multiarray_tests.cpython-311-x86_64-linux-gnu.so", False),
        ("Cryptodome/Cipher/_raw_aes.abi3.so", True),
        ("Cryptodome/PublicKey/_ec_ws.abi3.so", False),
    ],
)
def test_plugins_and_data_that_the_window_needs_are_kept(target: str, kept: bool) -> None:
    assert bool(frozen_files.used([(target, "", "DATA")])) == kept


def test_no_module_that_the_program_loads_is_left_out() -> None:
    loads = """
import sys, openai, lxml.etree, PIL.Image, rapidfuzz.process, py7zr, keyring, numpy.ma, tokenizers, onnxruntime, apsw
client = openai.OpenAI(api_key="none")
client.chat.completions, client.models
print("\\n".join(sys.modules))
"""
    result = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    unused = {*frozen_files.UNUSED_MODULES, *frozen_files.unused_of_openai()} - {"setuptools", "numpy.f2py"}
    optional = {name for name in result.stdout.split() if name in unused and not name.startswith(("rapidfuzz", "PIL"))}
    assert optional <= {"cffi", "distutils", "curses", "readline", "cryptography"}
    assert len(frozen_files.unused_of_openai()) > 20
    assert "openai.resources.chat" not in unused
    assert {"fsspec", "hf_xet", "huggingface_hub", "tqdm", "yaml"} <= unused


def test_pictures_archives_and_formulas_need_nothing_that_is_left_out() -> None:
    script = """
import io, sys
sys.path.insert(0, "packaging")
import frozen_files
unused = [*frozen_files.unused_of_pillow(), "cffi", "attr", "unittest", "doctest", "pydoc", "numpy.testing"]
sys.modules.update(dict.fromkeys(unused))
sys.addaudithook(lambda event, given: event != "open" or "DejaVu" not in str(given[0]) or sys.exit("a font is read"))
from PIL import Image
for kind in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "JPEG2000", "PPM"):
    picture = io.BytesIO()
    Image.new("RGB", (9, 9), "red").save(picture, kind)
    assert Image.open(picture).convert("RGB").getpixel((4, 4))[0] > 200, kind
from Cryptodome.Cipher import AES
assert AES.new(bytes(16), AES.MODE_CBC, bytes(16)).encrypt(bytes(16)).hex() == "66e94bd4ef8a2c3b884cfa59ca342b2e"
from desktop_rag.gui.conversation.answer.formulas import typeset
assert typeset(r"\\text{total} = \\frac{a}{b} + \\mathbf{x}", display=True)
import numpy.ma, rich.pretty
"""
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)


@linux
def test_stripping_keeps_a_file_loadable_or_leaves_it_alone(tmp_path: Path) -> None:
    sources = [Path(str(importlib.import_module(name).__file__)) for name in ("msgspec._core", "rapidfuzz.utils_cpp")]
    repaired = Path(str(np.__file__)).parent.parent / "numpy.libs"
    sources += repaired.glob("lib*")  # break when they are stripped
    for source in sources:
        result = frozen_files.stripped(source, tmp_path / source.name)
        assert result == source or result.stat().st_size < source.stat().st_size
        load = ["-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", str(result)]
        subprocess.run([sys.executable, *load], env={"LD_LIBRARY_PATH": str(repaired)}, check=True)
        for what in ("--dynamic", "--version-info"):  # what a package depends on is read from them
            assert facts(result, what) == facts(source, what)
    text = tmp_path / "text.so"
    text.write_text("no library")
    assert frozen_files.stripped(text, tmp_path / "out.so") == text


def facts(file: Path, what: str) -> list[str]:
    """Return the libraries and versions that an ELF file names."""
    listing = subprocess.run(["readelf", what, "--wide", str(file)], capture_output=True, text=True, check=True)
    return re.findall(r"NEEDED.*|SONAME.*|Name: \S+", listing.stdout)


@linux
def test_the_holes_of_a_repaired_library_are_left_out(tmp_path: Path) -> None:
    repaired = Path(str(PIL.__file__)).parent.parent / "pillow.libs"
    (source,) = repaired.glob("libXau-*")
    result = frozen_files.stripped(source, tmp_path / source.name)
    if platform.machine() == "x86_64":
        assert result.stat().st_size < 100_000 < source.stat().st_size


@linux
def test_the_tools_of_icu_are_found_without_the_folder_of_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.environ["PATH"] + os.pathsep + "/usr/sbin")
    known = icu_data.missing_packages()
    monkeypatch.setenv(
        "PATH", os.pathsep.join(each for each in os.environ["PATH"].split(os.pathsep) if "sbin" not in each)
    )
    assert icu_data.missing_packages() == known


@linux
def test_the_reduced_icu_data_keeps_collation_and_loses_names(tmp_path: Path) -> None:
    if icu_data.missing_packages():
        pytest.skip("icupkg or gcc is not installed (Debian: icu-devtools, gcc)")
    import PySide6

    (library,) = Path(str(PySide6.__file__)).parent.glob("Qt/lib/libicudata.so.*")
    reduced = icu_data.reduce_data(library, tmp_path / library.name)
    assert reduced.stat().st_size < library.stat().st_size / 3
    sort = (
        "from PySide6.QtCore import QCollator, QLocale, QTimeZone; order = QCollator(QLocale('de_DE')); "
        "names = ['Zebra', 'Äpfel', 'apfel', 'Birne']; "
        "assert sorted(names, key=order.sortKey)[-1] == 'Zebra' and order.compare('Äpfel', 'Birne') < 0; "
        "assert QTimeZone(b'Europe/Berlin').isValid()"
    )
    environment = {"LD_LIBRARY_PATH": str(tmp_path), "LD_PRELOAD": str(reduced)}
    subprocess.run([sys.executable, "-c", sort], env=environment, check=True)
    with pytest.raises(ValueError, match="no ICU data"):
        icu_data.reduce_data(library.with_name(library.name.replace("data", "uc")), tmp_path / "x")


def test_the_cipher_of_the_keyring_is_the_one_of_cryptography() -> None:
    ciphers = pytest.importorskip("cryptography.hazmat.primitives.ciphers", reason="a package of Linux")
    ours = secret_service_cipher.modules()["cryptography.hazmat.primitives.ciphers"]
    random = np.random.default_rng(1)
    for length in (16, 32, 160):
        key, vector, text = (random.bytes(size) for size in (16, 16, length))
        results = []
        for module in (ciphers, ours):
            cipher = module.Cipher(module.algorithms.AES(key), module.modes.CBC(vector), None)
            encryptor, decryptor = cipher.encryptor(), cipher.decryptor()
            hidden = encryptor.update(text) + encryptor.finalize()
            assert decryptor.update(hidden) + decryptor.finalize() == text
            results.append(hidden)
        assert results[0] == results[1] != text


def test_the_ciphers_of_the_protocol_are_those_of_cryptography() -> None:
    from cryptography.hazmat.primitives.ciphers import aead
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    ours = secret_service_cipher
    for length in (16, 32, 80):
        key = HKDF(SHA256(), length, None, b"what for").derive(b"secret")
        assert ours.HKDF(ours.SHA256(), length, None, b"what for").derive(b"secret") == key
    key, nonce = bytes(range(32)), bytes(12)
    hidden = aead.AESGCM(key).encrypt(nonce, b"text", b"beside")
    assert ours.AESGCM(key).encrypt(nonce, b"text", b"beside") == hidden
    assert ours.AESGCM(key).decrypt(nonce, hidden, b"beside") == b"text"
    for changed in (hidden[:-1] + b"x", hidden[:5]):
        with pytest.raises(ours.InvalidTag):
            ours.AESGCM(key).decrypt(nonce, changed, b"beside")


def test_the_protocol_is_served_with_the_ciphers_of_the_frozen_program() -> None:
    script = """
import sys
sys.path.insert(0, "packaging")
import secret_service_cipher
sys.modules.update(secret_service_cipher.modules())
for name in ("jsonschema", "referencing", "rpds"):
    sys.modules[name] = None
import desktop_rag.mcp_server.transports
import uvicorn
"""
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)


def test_secretstorage_runs_on_the_cipher_of_the_frozen_program() -> None:
    pytest.importorskip("secretstorage", reason="a package of Linux")
    script = """
import sys
sys.path.insert(0, "packaging")
import secret_service_cipher
sys.modules.update(secret_service_cipher.modules())
from Cryptodome.Cipher import AES
from secretstorage.dhcrypto import Session
from secretstorage.util import format_secret
session = Session()
session.set_server_public_key(12345)
session.object_path = "/"
_, vector, hidden, _ = format_secret(session, b"secret", "text/plain")
assert AES.new(session.aes_key, AES.MODE_CBC, iv=vector).decrypt(hidden)[:6] == b"secret"
"""
    root = Path(__file__).parents[3]
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True)


def test_the_frozen_program_has_every_page_of_the_guide() -> None:
    root = Path(__file__).parents[3]
    spec = ast.parse((root / "packaging" / "desktop_rag.spec").read_text(encoding="utf-8"))
    datas = next(node.value for node in ast.walk(spec) if isinstance(node, ast.keyword) and node.arg == "datas")
    names = {"ROOT": root, "collect_data_files": lambda _name: []}
    files = eval(compile(ast.Expression(datas), "datas", "eval"), names)
    assert {(str(page), "resources/docs") for page in (root / "docs").glob("*.md")} <= set(files)
