r"""Where the folders of a file server are on this computer: `/srv/files` may be `Z:\` here.

Only displayed and opened paths are translated; conditions such as `folder:` are about paths of the server. A page is
painted from a file only if its bytes have the hash that the library has (`gui.viewer.pages.render_service`).
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from desktop_rag.errors import TeamMisconfigured
from desktop_rag.retrieval.api import DocumentCard, Hit, Scope, SearchResult

Mounts = Sequence[tuple[str, str]]


def mount_of(text: str) -> tuple[str, str]:
    """Return the folder on the server and here of `SERVER=HERE`; raises `TeamMisconfigured`."""
    server, sign, here = (part.strip() for part in text.partition("="))
    if not (server and sign and here):
        raise TeamMisconfigured(f"“{text}” names no folder. Write SERVER=HERE, such as //server/share=Z:\\")
    return server, here


class MountTable:
    """Translates paths of a team library; the longest folder that fits counts."""

    def __init__(self, mounts: Mounts) -> None:
        pairs = [(_slashes(server).rstrip("/"), here) for server, here in mounts]
        self._mounts = sorted(pairs, key=lambda pair: -len(pair[0]))

    def here(self, path: Path) -> Path:
        """Return where a file of the server is on this computer, as far as that is known."""
        return self._mounted(path) or path

    def _mounted(self, path: Path) -> Path | None:
        whole = _slashes(str(path))
        for server, here in self._mounts:
            if whole == server or whole.startswith(f"{server}/"):
                return Path(here, *whole[len(server) :].strip("/").split("/"))
        return None

    def _is_away(self, path: Path) -> bool:
        return self._mounted(path) is None

    def there(self, path: Path) -> Path:
        """Return the path on the server of a file on this computer."""
        for server, here in self._mounts:
            if path.is_relative_to(here):
                return Path(server, *path.relative_to(here).parts)
        return path

    def scope(self, scope: Scope) -> Scope:
        """Return a scope whose withheld paths are named as here and as on the server."""
        here = scope.withheld.paths
        there = (os.fsencode(self.there(Path(os.fsdecode(path)))) for path in here)
        return replace(scope, withheld=replace(scope.withheld, paths=tuple(dict.fromkeys((*here, *there)))))

    def hits(self, found: Iterable[Hit]) -> tuple[Hit, ...]:
        """Return hits with the places of their files here."""
        return tuple(
            replace(hit, path=self.here(hit.path), also=tuple(map(self.here, hit.also)), away=self._is_away(hit.path))
            for hit in found
        )

    def result(self, result: SearchResult) -> SearchResult:
        """Return a result with the places of its files here."""
        named = (replace(file, path=self.here(file.path), away=self._is_away(file.path)) for file in result.named)
        return replace(result, hits=self.hits(result.hits), similar=self.hits(result.similar), named=tuple(named))

    def cards(self, cards: Iterable[DocumentCard]) -> tuple[DocumentCard, ...]:
        """Return the cards of documents with the places of their files here."""
        return tuple(
            replace(
                card,
                path=self.here(card.path) if card.path else None,
                also=tuple(map(self.here, card.also)),
                away=card.path is not None and self._is_away(card.path),
            )
            for card in cards
        )


def _slashes(path: str) -> str:
    return path.replace("\\", "/")
