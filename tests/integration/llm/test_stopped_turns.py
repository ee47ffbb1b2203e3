"""Turns that are stopped, left or too late, against a real server on loopback."""

import socket
import threading
import time

import pytest

from desktop_rag.errors import (
    ModelUnreachable,
    Stopped,
)
from desktop_rag.llm.chat import (
    TextDelta,
)
from desktop_rag.llm.openai_chat import OpenAIChat
from desktop_rag.llm.transport import RequestTimeouts
from desktop_rag.settings import Profile
from desktop_rag.stop import Stop
from tests.endpoint import ScriptedEndpoint, Turn
from tests.integration.llm.test_openai_chat import HURRIED, model, request


def test_a_silent_server_times_out_after_the_first_token_time() -> None:
    timeouts = RequestTimeouts(connect=2.0, first_token=0.05, idle=0.05, retry_delays=())
    with ScriptedEndpoint([Turn(hold=threading.Event())]) as endpoint:
        with pytest.raises(ModelUnreachable, match="did not respond"):
            list(model(endpoint, timeouts=timeouts).chat(request(), Stop()))
        assert endpoint.disconnected.wait(60)


def stop_after(event: threading.Event, stop: Stop, pressed: list[float]) -> threading.Thread:
    def press() -> None:
        event.wait(10)
        pressed.append(time.monotonic())
        stop.set()

    thread = threading.Thread(target=press)
    thread.start()
    return thread


@pytest.mark.parametrize("while_waiting_for", ["headers", "text"])
def test_stop_ends_the_turn_at_once_and_disconnects(while_waiting_for: str) -> None:
    stop, pressed, never = Stop(), list[float](), threading.Event()
    turn = Turn(text=["Rent", " is"], hold=never) if while_waiting_for == "headers" else Turn(text="R", hold_text=never)
    with ScriptedEndpoint([turn]) as endpoint:
        presser = stop_after(endpoint.arrived, stop, pressed)
        with pytest.raises(Stopped):
            list(model(endpoint).chat(request(), stop))
        assert time.monotonic() - pressed[0] < 0.2
        presser.join()
        assert endpoint.disconnected.wait(60)


def test_stop_does_not_wait_for_a_silent_server() -> None:
    stop, pressed, connected = Stop(), list[float](), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        chat = OpenAIChat(Profile("test", f"https://127.0.0.1:{server.getsockname()[1]}", "scripted"), "", HURRIED)
        accepted: list[socket.socket] = []

        def accept() -> None:
            accepted.append(server.accept()[0])
            connected.set()

        accepting = threading.Thread(target=accept)
        accepting.start()
        presser = stop_after(connected, stop, pressed)
        with pytest.raises(Stopped):
            list(chat.chat(request(), stop))
        assert time.monotonic() - pressed[0] < 0.2
        presser.join()
        accepting.join()
        accepted[0].close()


def test_stop_ends_the_wait_for_a_rate_limit() -> None:
    stop = Stop()
    busy = Turn(status=429, body="{}", headers={"Retry-After": "60"})
    with ScriptedEndpoint([busy]) as endpoint:
        pressed: list[float] = []
        presser = stop_after(endpoint.arrived, stop, pressed)
        with pytest.raises(Stopped):
            list(model(endpoint, timeouts=RequestTimeouts()).chat(request(), stop))
        presser.join()
        assert time.monotonic() - pressed[0] < 0.2


def test_closing_the_generator_disconnects() -> None:
    with ScriptedEndpoint([Turn(text=["Rent", " is"], hold_text=threading.Event())]) as endpoint:
        turn = model(endpoint).chat(request(), Stop())
        assert next(turn) == TextDelta("Rent")
        turn.close()
        assert endpoint.disconnected.wait(60)
