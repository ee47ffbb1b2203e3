import threading
from pathlib import Path

from desktop_rag.agent.gate.sent_ledger import SentLedger


def test_requests_that_create_the_ledger_at_once_are_all_recorded(tmp_path: Path) -> None:
    asked, rounds = 4, 40
    for number in range(rounds):
        path = tmp_path / f"{number}.sqlite"
        together = threading.Barrier(asked)

        def send(path: Path = path, together: threading.Barrier = together) -> None:
            together.wait()
            SentLedger(path).record("run", "127.0.0.1", "model", "When?", 5, 0, ())

        threads = [threading.Thread(target=send) for _ in range(asked)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(SentLedger(path).rows()) == asked
