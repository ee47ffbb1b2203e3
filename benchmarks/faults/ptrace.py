"""Stops a program before each of its storage operations, below Python, SQLite and libc (Linux on x86-64).

A seccomp filter, which the program inherits, passes every system call that changes files to the tracer (ptrace):
nothing is compiled or preloaded, and writes of numpy or SQLite are traced like all others.
"""

import ctypes
import errno
import os
import platform
import signal
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

# Constants of linux/ptrace.h, linux/seccomp.h, linux/filter.h and asm/unistd_64.h.
_TRACEME, _POKEUSER, _CONT, _SYSCALL, _SETOPTIONS, _GET_SYSCALL_INFO = 0, 6, 7, 24, 0x4200, 0x420E
_OPTIONS = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x80 | 0x100000  # sysgood, fork, vfork, clone, exec, seccomp, exitkill
_EVENT_SECCOMP, _SYSGOOD = 7, signal.SIGTRAP | 0x80
_ORIG_RAX, _RAX = 15 * 8, 10 * 8  # in struct user
_INFO_BYTES = 88
_WALL = 0x40000000
_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_ALLOW, _TRACE, _X86_64 = 0x7FFF0000, 0x7FF00000, 0xC000003E
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06


class Call(StrEnum):
    """The effect of a system call on files."""

    OPEN = "open"  # only with O_CREAT or O_TRUNC
    WRITE = "write"
    TRUNCATE = "truncate"
    SYNC = "sync"
    RENAME = "rename"
    UNLINK = "unlink"
    MKDIR = "mkdir"
    RMDIR = "rmdir"
    LINK = "link"
    ALLOCATE = "allocate"
    COPY = "copy"


# number: (call, index of the argument with the file descriptor or path)
_CALLS = {
    1: Call.WRITE, 18: Call.WRITE, 20: Call.WRITE, 296: Call.WRITE,
    2: Call.OPEN, 85: Call.OPEN, 257: Call.OPEN,
    76: Call.TRUNCATE, 77: Call.TRUNCATE,
    26: Call.SYNC, 74: Call.SYNC, 75: Call.SYNC, 277: Call.SYNC,
    82: Call.RENAME, 264: Call.RENAME, 316: Call.RENAME,
    87: Call.UNLINK, 263: Call.UNLINK,
    83: Call.MKDIR, 258: Call.MKDIR, 84: Call.RMDIR,
    86: Call.LINK, 265: Call.LINK, 88: Call.LINK, 266: Call.LINK,
    285: Call.ALLOCATE, 40: Call.COPY, 326: Call.COPY,
}  # fmt: skip
_OPENS = {2: 1, 257: 2}  # index of the argument with their flags
_CHANGING = os.O_CREAT | os.O_TRUNC


def can_trace() -> bool:
    """Return whether this machine permits tracing a program like this."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


@dataclass(frozen=True, slots=True)
class Stopped:
    """A thread before a system call, or after it (`result` is its return value; negative: an errno)."""

    process: int
    number: int
    arguments: tuple[int, ...]
    call: Call
    result: int | None = None


@dataclass(frozen=True, slots=True)
class Fail:
    """Skip the call and return this errno."""

    number: int


class Action(StrEnum):
    """Other decisions about a stopped call."""

    CONTINUE = "continue"
    CONTINUE_TO_RESULT = "continue to result"  # stop again after the call, with its result
    KILL = "kill"  # kill the whole program, before the call


Decision = Fail | Action
Decide = Callable[[Stopped], Decision]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.restype = ctypes.c_long
_libc.ptrace.argtypes = (ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)


def trace(command: Sequence[str], environment: Mapping[str, str], decide: Decide, began: Callable[[int], None]) -> int:
    """Run `command`, pass every storage call to `decide`, return the exit code (negative: the signal that ended it).

    `began` receives the process id. The calling process must have one thread and no other children.
    """
    leader = os.fork()
    if leader == 0:
        _become(command, environment)
    os.waitpid(leader, _WALL)
    _ptrace(_SETOPTIONS, leader, 0, _OPTIONS)
    _ptrace(_CONT, leader, 0, 0)
    began(leader)
    return _Tracer(leader, decide).run()


class _Tracer:
    def __init__(self, leader: int, decide: Decide) -> None:
        self._leader = leader
        self._decide_on = decide
        self._inside: dict[int, Stopped] = {}  # threads whose call is reported again with its result

    def run(self) -> int:
        code = 0
        while True:
            try:
                thread, status = os.waitpid(-1, _WALL)
            except ChildProcessError:
                return code
            if os.WIFSTOPPED(status):
                self._resume(thread, status)
            elif thread == self._leader:
                code = os.waitstatus_to_exitcode(status)

    def _resume(self, thread: int, status: int) -> None:
        number, event = os.WSTOPSIG(status), status >> 16
        try:
            if event == _EVENT_SECCOMP:
                self._decide(thread)
            elif number == _SYSGOOD:
                self._report_result(thread)
                _ptrace(_CONT, thread, 0, 0)
            else:  # do not deliver the SIGSTOP of a new thread and the SIGTRAP of an event to the program
                own = event or number in (signal.SIGSTOP, signal.SIGTRAP)
                _ptrace(_CONT, thread, 0, 0 if own else number)
        except ProcessLookupError:  # killed meanwhile
            self._inside.pop(thread, None)

    def _decide(self, thread: int) -> None:
        number, arguments = _call(thread)
        stopped = Stopped(self._leader if _is_thread_of(thread, self._leader) else thread, number, arguments,
                          _CALLS[number])  # fmt: skip
        decision = self._decide_on(stopped)
        match decision:
            case Action.KILL:
                os.kill(self._leader, signal.SIGKILL)
            case Action.CONTINUE_TO_RESULT:
                self._inside[thread] = stopped
                _ptrace(_SYSCALL, thread, 0, 0)
            case Action.CONTINUE:
                _ptrace(_CONT, thread, 0, 0)
            case Fail(error):
                _ptrace(_POKEUSER, thread, _ORIG_RAX, -1)
                _ptrace(_POKEUSER, thread, _RAX, -error)
                _ptrace(_CONT, thread, 0, 0)

    def _report_result(self, thread: int) -> None:
        before = self._inside.pop(thread, None)
        if before is not None:
            self._decide_on(Stopped(before.process, before.number, before.arguments, before.call, _result(thread)))


def memory(process: int, address: int, size: int) -> bytes:
    """Read the memory of a stopped process."""
    with open(f"/proc/{process}/mem", "rb", buffering=0) as file:  # noqa: PTH123 - no file of the disk
        file.seek(address)
        return file.read(size)


def text_at(process: int, address: int) -> bytes:
    """Read the zero-terminated string at an address of a stopped process."""
    found = b""
    while b"\0" not in found:
        piece = memory(process, address + len(found), 4096 - (address + len(found)) % 4096)
        if not piece:
            break
        found += piece
    return found.partition(b"\0")[0]


def _become(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Turn the forked child into the traced program; never returns."""
    try:
        _ptrace(_TRACEME, 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)  # wait until the tracer is ready
        _filter_calls()
        os.execvpe(command[0], list(command), dict(environment))
    finally:
        os._exit(127)


def _filter_calls() -> None:
    """Install the seccomp filter: calls of `_CALLS` go to the tracer, all others pass."""
    plain = [number for number in _CALLS if number not in _OPENS]
    lines = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, _X86_64), (_RETURN, 0, 0, _ALLOW), (_LOAD, 0, 0, 0)]
    lines += [(_EQUAL, len(plain) - index + 4 * len(_OPENS), 0, number) for index, number in enumerate(plain)]
    for index, (number, place) in enumerate(_OPENS.items()):
        to_the_end = 2 + 4 * (len(_OPENS) - 1 - index)
        lines += [(_EQUAL, 0, 3, number), (_LOAD, 0, 0, 16 + 8 * place), (_ANY_BIT, to_the_end, 0, _CHANGING)]
        lines += [(_RETURN, 0, 0, _ALLOW)]
    lines += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _TRACE)]
    code = b"".join(struct.pack("=HBBI", *line) for line in lines)
    program = _Program(len(lines), code)
    zero = ctypes.c_ulong(0)
    if _libc.prctl(_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero):
        raise OSError(ctypes.get_errno(), "no filter")
    if _libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER_MODE), ctypes.byref(program), zero, zero):
        raise OSError(ctypes.get_errno(), "no filter")


def _call(thread: int) -> tuple[int, tuple[int, ...]]:
    info = _info(thread)
    number, *arguments = struct.unpack_from("=7Q", info, 24)
    return number, tuple(arguments)


def _result(thread: int) -> int:
    value: int = struct.unpack_from("=q", _info(thread), 24)[0]
    return value


def _info(thread: int) -> bytes:
    buffer = ctypes.create_string_buffer(_INFO_BYTES)
    _ptrace(_GET_SYSCALL_INFO, thread, _INFO_BYTES, ctypes.addressof(buffer))
    return buffer.raw


def _is_thread_of(thread: int, process: int) -> bool:
    return os.path.exists(f"/proc/{process}/task/{thread}")  # noqa: PTH110 - no file of the disk


def _ptrace(request: int, thread: int, address: int, data: int) -> None:
    if _libc.ptrace(request, thread, address & (1 << 64) - 1, data & (1 << 64) - 1) == -1:
        number = ctypes.get_errno()
        if number == errno.ESRCH:
            raise ProcessLookupError(number, "gone")
        raise OSError(number, f"ptrace {request}: {os.strerror(number)}")
