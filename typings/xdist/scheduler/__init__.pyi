import pytest
from xdist.remote import Producer

class LoadScopeScheduling:
    collection: list[str] | None
    registered_collections: dict[object, list[str]]
    workqueue: dict[str, dict[str, bool]]
    def __init__(self, config: pytest.Config, log: Producer | None = ...) -> None: ...
    def schedule(self) -> None: ...
    def _split_scope(self, nodeid: str) -> str: ...
