"""Long results on a terminal go through the user's pager."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress

from desktop_rag.cli.output import FOUND, Output, PlainStream

_LESS = "FRX"  # end if all fits on the screen, show colours, leave the text there


def paged(work: Callable[[], int], output: Output) -> int:
    """Return what `work` returns, whose lines go through `$PAGER`, or less, if standard output is a terminal."""
    command = _command()
    direct = output.console
    if output.as_json or isinstance(direct, PlainStream) or not direct.is_terminal or not command:
        return work()
    from desktop_rag.cli.terminal import Terminal

    environment = {"LESS": _LESS, **os.environ}
    pager = subprocess.Popen(
        command, stdin=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", env=environment
    )
    output.console = Terminal(stderr=False, pager=pager.stdin, width=direct.width)
    try:
        return work()
    except BrokenPipeError:  # it was left before the end
        return FOUND
    finally:
        output.console = direct
        with suppress(BrokenPipeError):
            if pager.stdin is not None:
                pager.stdin.close()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is a key of the pager
        pager.wait()
        signal.signal(signal.SIGINT, before)


def _command() -> list[str]:
    """Return the pager with its options; nothing if there is none."""
    try:
        command = shlex.split(os.environ.get("PAGER", "less"))
    except ValueError:
        return []
    return command if command and shutil.which(command[0]) else []
