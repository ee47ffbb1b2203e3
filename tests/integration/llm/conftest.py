from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a PEM file for a server at 127.0.0.1, which is its own authority, with its key."""
    pytest.importorskip("cryptography", reason="comes with keyring on Linux only")
    from tests.integration.llm.certificates import write_certificate

    return write_certificate(tmp_path_factory.mktemp("tls") / "endpoint.pem")
