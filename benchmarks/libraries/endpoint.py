"""A chat endpoint on loopback that searches once and then streams a long answer at the speed of a fast one."""

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE_SECONDS = 0.005  # 200 pieces per second
ANSWER = (
    "The **rent** is due monthly, as the lease says in its third part [turn1search1]. " * 6
    + "\n\n- one point\n- another `code` point\n\n"
    + "```python\ndef twice(x):\n    return x * 2  # as the table shows\n```\n\n"
    + "| month | euros |\n|---|---|\n| May | 1,200 |\n| June | 1,250 |\n\n"
) * 10
TABLE_QUESTION = "Which rents are due, as a table?"
TABLE = "| house | tenant | euros | due |\n|---|---|---|---|\n" + "".join(
    f"| Mill Lane {row} | {row} family | {900 + row} | in **May** [turn1search1] |\n" for row in range(1, 201)
)
_PIECE = 6  # characters, about 1.5 tokens
_CALL = {"id": "call1", "type": "function", "function": {"name": "search", "arguments": '{"queries": ["rent"]}'}}


class _Handler(BaseHTTPRequestHandler):
    """Answers every POST with a stream."""

    def do_POST(self) -> None:  # the name http.server calls
        """Request a search first, and answer once there is a result."""
        length = int(self.headers.get("Content-Length") or 0)
        messages = json.loads(self.rfile.read(length)).get("messages", [])
        asked_again = bool(messages) and messages[-1].get("role") == "tool"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        if not asked_again:
            self._send({"tool_calls": [{"index": 0, **_CALL}]}, "tool_calls")
        else:
            questions = [message.get("content") for message in messages if message.get("role") == "user"]
            answer = TABLE if questions and TABLE_QUESTION in str(questions[-1]) else ANSWER
            for start in range(0, len(answer), _PIECE):
                time.sleep(PIECE_SECONDS)
                self._send({"content": answer[start : start + _PIECE]}, None)
            self._send({}, "stop")
        self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, delta: dict[str, object], finish: str | None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.flush()

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002  # the name http.server calls
        """Log nothing."""


@contextmanager
def streaming_endpoint() -> Generator[str]:
    """Run the endpoint for the duration of the block; yield its base address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="endpoint", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
