"""Fetches the published files of a known encoder, one at a time, each checked by its size and checksum."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin, urlsplit

from desktop_rag.errors import EncoderError, Stopped
from desktop_rag.index.encoding.known_encoders import PublishedFile
from desktop_rag.llm.transport import OFFLINE, interruptible, is_closed_offline, is_loopback, proxy_for, trust
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop

if TYPE_CHECKING:
    import httpx2

MOST_REDIRECTS = 5
SPARE = 1.8  # times the files: the converted encoder is written beside them
_SECONDS, _CONNECT_SECONDS = 30.0, 10.0
_BLOCK = 256 * 1024


class Progress(NamedTuple):
    """Bytes fetched so far, and of all files."""

    done: int
    total: int


def fetch(
    files: Sequence[PublishedFile], folder: Path, stop: Stop, report: Callable[[Progress], None] = lambda _: None
) -> None:
    """Fetch the files into an existing folder; raises `EncoderError` and `SettingsError`, or `Stopped` at once."""
    for file in files:
        _check_address(file.address)
    total = sum(file.bytes for file in files)
    if shutil.disk_usage(folder).free < SPARE * total:
        raise EncoderError(f"There is too little space in {folder}: {SPARE * total / 1e6:,.0f} MB are needed.")
    done = 0
    for file in files:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            _waited_for(partial(_fetch, file, target, stop, _from(done, total, report)), stop)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        done += file.bytes


def _waited_for(work: Callable[[], None], stop: Stop) -> None:
    """Run `work` on a thread; after `stop` it is abandoned, and ends by itself at its next block."""

    def run() -> EncoderError | Stopped | None:
        try:
            work()
        except (EncoderError, Stopped) as error:
            return error
        return None

    if error := interruptible(run, stop):
        raise error


def _from(before: int, total: int, report: Callable[[Progress], None]) -> Callable[[int], None]:
    return lambda size: report(Progress(before + size, total))


def _fetch(file: PublishedFile, target: Path, stop: Stop, report: Callable[[int], None]) -> None:
    import httpx2

    address = file.address
    try:
        for _ in range(MOST_REDIRECTS):
            _check_address(address)
            with _client(address) as client, client.stream("GET", address) as response:
                if response.is_redirect:
                    address = urljoin(address, response.headers.get("location", ""))
                    continue
                if not response.is_success:
                    raise EncoderError(f"{_host(address)} answered {response.status_code} for {file.path}. Try later.")
                _save(response, file, target, stop, report)
                return
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        stop.check()
        raise EncoderError(
            f"{_host(address)} cannot be reached, or broke off ({str(error) or type(error).__name__}). Check the "
            "network and start again."
        ) from error
    except OSError as error:
        raise EncoderError(f"{target} cannot be written: {error.strerror or error}.") from error
    raise EncoderError(f"{_host(file.address)} passes {file.path} on without end. Try later.")


def _save(
    response: "httpx2.Response", file: PublishedFile, target: Path, stop: Stop, report: Callable[[int], None]
) -> None:
    """Write the response body; raise `EncoderError` once it exceeds the published size."""
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as out:
        for block in response.iter_bytes(_BLOCK):
            stop.check()
            size += len(block)
            if size > file.bytes:
                break
            digest.update(block)
            out.write(block)
            report(size)
    stop.check()
    if size != file.bytes or digest.hexdigest() != file.sha256:
        raise EncoderError(
            f"{file.path} from {_host(file.address)} is not the published file: its size or checksum differs. Nothing "
            "was kept. Start again later; if it stays, the file was changed there."
        )


def _client(address: str) -> "httpx2.Client":
    import httpx2

    profile = Profile("", address, "")
    plain = address.startswith("http:")
    return httpx2.Client(
        verify=False if plain else trust(profile),
        trust_env=False,
        proxy=proxy_for(profile, address) or None,
        follow_redirects=False,
        timeout=httpx2.Timeout(_SECONDS, connect=_CONNECT_SECONDS),
        headers={"User-Agent": "desktop-rag", "Accept-Encoding": "identity"},
    )


def _check_address(address: str) -> None:
    """Raise `EncoderError` unless the address is on this computer, or encrypted and the user not offline."""
    if is_closed_offline(address):
        raise EncoderError(OFFLINE)
    if not address.startswith("https://") and not (address.startswith("http://") and is_loopback(address)):
        raise EncoderError(f"{_host(address)} is not asked: its address is not encrypted (https).")


def _host(address: str) -> str:
    return urlsplit(address).hostname or address
