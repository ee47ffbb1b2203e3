"""seccomp (Linux): a system call filter that denies this process what only an attacker would use.

The classic BPF program denies sockets, executing programs, creating processes, opening files for writing, any other
change to the file system, and everything that only debuggers or administrators need; a process that has to do some of
it is `Allowed` that. A denied call fails with “Operation not permitted”, so a library that merely tries continues
without it. See seccomp(2); call numbers from the kernel's tables for x86-64 and for the generic one that ARM uses.
"""

import ctypes
import os
import platform
import stat
import struct
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from enum import Flag, IntFlag, auto

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000  # _REFUSE carries EPERM …
_UNKNOWN = 0x00050000 | 38  # … and this ENOSYS: the C library then uses the older call, whose arguments can be checked

_LOAD, _AND, _EQUAL, _ANY_BIT, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x45, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in `struct seccomp_data`; each argument has eight bytes
_X32 = 0x40000000  # marks the calls of the x32 interface on x86-64

_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020000  # all of CLONE_NEW…: mounts, control groups, names, IPC, users, processes, network
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_X86_64, _ARM_64 = 0xC000003E, 0xC00000B7
_ARCHITECTURES = {"x86_64": _X86_64, "aarch64": _ARM_64}


class Allowed(Flag):
    """What a filter may leave allowed."""

    NOTHING = 0
    LOCAL_SOCKETS = auto()  # of this computer's file system
    TCP = auto()
    UDP = auto()
    LISTEN = auto()  # at sockets of any allowed kind
    EXECUTE = auto()  # another program in this process
    PROCESSES = auto()  # create and signal processes
    CHANGE_FILES = auto()
    WATCH = auto()  # folders


# The numbers of each call on x86-64 and ARM, -1 where it does not exist; refused unless one of the flags is allowed.
_REFUSED = (
    (Allowed.LOCAL_SOCKETS | Allowed.TCP | Allowed.UDP, ((53, 199), (42, 203))),
    (Allowed.LISTEN, ((49, 200), (50, 201), (43, 202), (288, 242))),
    (Allowed.EXECUTE, ((59, 221), (322, 281))),
    (Allowed.PROCESSES, ((57, -1), (58, -1), (62, 129), (434, 434), (424, 424))),
    # tracing, the memory and the descriptors of other processes
    (Allowed.NOTHING, ((101, 117), (310, 270), (311, 271), (200, 130), (438, 438))),
    (
        Allowed.CHANGE_FILES,
        (
            *((85, -1), (87, -1), (263, 35), (82, -1), (264, 38), (316, 276), (83, -1), (258, 34), (84, -1)),
            *((76, 45), (77, 46), (285, 47)),
        ),
    ),
    # modes and times, which Landlock does not cover
    (Allowed.NOTHING, ((90, -1), (91, 52), (268, 53), (452, 452), (132, -1), (235, -1), (261, -1), (280, 88))),
    (Allowed.WATCH, ((253, -1), (254, 27), (294, 26))),
    # links, devices, owners, extended attributes
    (
        Allowed.NOTHING,
        (
            *((86, -1), (265, 37), (88, -1), (266, 36), (133, -1), (259, 33), (92, -1), (93, 55), (94, -1), (260, 54)),
            *((188, 5), (189, 6), (190, 7), (197, 14), (198, 15), (199, 16), (463, 463), (466, 466), (469, 469)),
        ),
    ),
    # priorities and memory of other processes; `setpriority` is below
    (
        Allowed.NOTHING,
        (
            *((142, 118), (144, 119), (203, 122), (314, 274), (251, 30), (256, 238), (279, 239), (312, 272)),
            *((436, 436), (440, 440), (448, 448)),
        ),
    ),
    (Allowed.NOTHING, ((303, 264), (304, 265))),  # files by handle
    (Allowed.NOTHING, ((29, 194), (64, 190), (68, 186), (240, 180))),  # System V and message queues
    (
        Allowed.NOTHING,
        (
            *((165, 40), (166, 39), (155, 41), (161, 51), (272, 97), (308, 268), (428, 428), (429, 429), (430, 430)),
            *((431, 431), (432, 432), (433, 433), (442, 442), (467, 467), (179, 60), (443, 443), (300, 262)),
        ),
    ),
    # the kernel: BPF, performance, io_uring, keys, modules, clocks, names, swap, segments, its log
    (
        Allowed.NOTHING,
        (
            *((321, 280), (298, 241), (323, 282), (425, 425), (426, 426), (427, 427), (250, 219), (248, 217)),
            *((249, 218), (175, 105), (313, 273), (176, 106), (246, 104), (320, 294), (169, 142), (167, 224)),
            *((168, 225), (135, 92), (163, 89), (164, 170), (227, 112), (305, 266), (170, 161)),
            *((154, -1), (103, 116)),
        ),
    ),
)
_SOCKET, _SET_PRIORITY = (41, 198), (141, 140)
_CLONE, _CLONE3 = (56, 220), 435
_OPEN, _OPENAT, _OPENAT2 = (2, -1), (257, 56), 437
_ACCESS_MODE = 3  # as a value it opens a file for neither reading nor writing, which Landlock does not see
# Commands that have the kernel send signals to others, or that type into a terminal that a process has got.
_STEERED: tuple[tuple[tuple[int, int], tuple[int, ...]], ...] = (
    ((72, 25), (8, 10, 15)),  # fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX
    ((16, 29), (0x5412, 0x541C, 0x8901, 0x8902)),  # ioctl: TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP
)
_LIMITS = (302, 261)  # prlimit64: the C library sets the limits of the process itself with it, too
_SENDING = (((44, 206), 3), ((46, 211), 2), ((307, 269), 3))  # sendto, sendmsg, sendmmsg; their argument with flags
_FAST_OPEN = 0x20000000  # connects without the call that Landlock checks
_LOCAL, _INTERNET = 1, (2, 10)  # families of sockets: AF_UNIX; AF_INET and AF_INET6
_KIND = 0xF  # the bits of a socket's type; the others are flags
# The kind and protocols of sockets, 0 for the usual one. Landlock does not see MPTCP, which is of the same kind as TCP.
_STREAM, _DATAGRAM, _TCP, _UDP = 1, 2, 6, 17


def refuse_dangerous_calls(allowed: Allowed = Allowed.NOTHING) -> bool:
    """Install the filter for this thread and its children; return whether the kernel enforces it.

    Call it while the process has a single thread.
    """
    architecture = _ARCHITECTURES.get(platform.machine()) if sys.platform.startswith("linux") else None
    if architecture is None or sys.maxsize < 2**32:
        return False
    program = b"".join(_program(architecture, allowed))
    code = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: the count of instructions, padding, their address.
    given = struct.pack("=HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    system = ctypes.CDLL(None, use_errno=True)
    none = ctypes.c_ulong(0)
    if system.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), none, none, none) != 0:
        return False
    return bool(system.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), given, none, none) == 0)


def _program(architecture: int, allowed: Allowed) -> Iterator[bytes]:
    """Yield the instructions of the filter."""
    column = 0 if architecture == _X86_64 else 1
    yield from (
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, architecture, 1, 0),
        _line(_RETURN, _KILL),
        _line(_LOAD, _NUMBER),
        _line(_AT_LEAST, _X32, 0, 1),
        _line(_RETURN, _REFUSE),
    )
    for unless, calls in _REFUSED:
        if not unless & allowed:
            for numbers in calls:
                yield from _if_call(numbers[column], _line(_RETURN, _REFUSE))
    for call in (_CLONE3, _OPENAT2):
        yield from _if_call(call, _line(_RETURN, _UNKNOWN))
    # Without leave to create processes, clone is allowed for threads only.
    may_start = Allowed.PROCESSES in allowed
    refused_clone = _refuse_unless(0, _CLONE_NAMESPACES if may_start else _CLONE_THREAD, wanted=not may_start)
    yield from _if_call(_CLONE[column], *refused_clone)
    for opening, argument in ((_OPEN, 1), (_OPENAT, 2)):
        may_change = Allowed.CHANGE_FILES in allowed
        refused = _refuse_mode(argument) if may_change else _refuse_unless(argument, _WRITING, wanted=False)
        yield from _if_call(opening[column], *refused)
    for steered, commands in _STEERED:
        yield from _if_call(steered[column], _line(_LOAD, _ARGUMENTS + 8), *_refuse_values(commands))
    yield from _if_call(_LIMITS[column], *_refuse_unless_zero(0))  # a process id: 0 is the process itself
    lower_own = _refuse_unless_zero(0, 1) if may_start else (_line(_RETURN, _REFUSE),)  # (of a process, its id)
    yield from _if_call(_SET_PRIORITY[column], *lower_own)
    for numbers, flags in _SENDING:
        yield from _if_call(numbers[column], *_refuse_unless(flags, _FAST_OPEN, wanted=False))
    yield from _if_call(_SOCKET[column], *_check_socket(allowed))
    yield _line(_RETURN, _ALLOW)


def _if_call(number: int, *then: bytes) -> list[bytes]:
    """Return the instructions that execute `then` for a call and skip it for others."""
    return [_line(_EQUAL, number, 0, len(then)), *then] if number >= 0 else []


def _refuse_unless(argument: int, bits: int, *, wanted: bool) -> tuple[bytes, ...]:
    """Return the instructions that allow a call only with (or only without) any of `bits` in an argument."""
    return (
        _line(_LOAD, _ARGUMENTS + 8 * argument),  # the lower half; both architectures are little-endian
        _line(_ANY_BIT, bits, 0 if wanted else 1, 1 if wanted else 0),
        _line(_RETURN, _ALLOW),
        _line(_RETURN, _REFUSE),
    )


def _refuse_mode(argument: int) -> tuple[bytes, ...]:
    return (_line(_LOAD, _ARGUMENTS + 8 * argument), _line(_AND, _ACCESS_MODE), *_refuse_values((_ACCESS_MODE,)))


def _refuse_values(values: tuple[int, ...]) -> tuple[bytes, ...]:
    """Return the instructions that refuse a call if the loaded number is one of `values`."""
    checks = (_line(_EQUAL, value, len(values) - place, 0) for place, value in enumerate(values))
    return (*checks, _line(_RETURN, _ALLOW), _line(_RETURN, _REFUSE))


def _refuse_unless_zero(*arguments: int) -> tuple[bytes, ...]:
    """Return the instructions that allow a call only if the lower halves of these arguments are 0."""
    checks: list[bytes] = [_line(_RETURN, _ALLOW), _line(_RETURN, _REFUSE)]
    for argument in reversed(arguments):
        checks[:0] = _line(_LOAD, _ARGUMENTS + 8 * argument), _line(_EQUAL, 0, 0, len(checks) - 1)
    return tuple(checks)


def _check_socket(allowed: Allowed) -> Iterator[bytes]:
    """Yield the instructions that decide about a new socket by its family, its type and its protocol."""
    tcp, udp = Allowed.TCP in allowed, Allowed.UDP in allowed
    yield _line(_LOAD, _ARGUMENTS)
    if Allowed.LOCAL_SOCKETS in allowed:
        yield from (_line(_EQUAL, _LOCAL, 0, 1), _line(_RETURN, _ALLOW))
    yield from _go_on_with(_INTERNET if tcp or udp else ())
    yield from (_line(_LOAD, _ARGUMENTS + 8), _line(_AND, _KIND))
    yield from _go_on_with((_STREAM,) * tcp + (_DATAGRAM,) * udp)
    yield _line(_LOAD, _ARGUMENTS + 16)
    yield from _go_on_with((0, *(_TCP,) * tcp, *(_UDP,) * udp))
    yield _line(_RETURN, _ALLOW)


def _go_on_with(values: tuple[int, ...]) -> Iterator[bytes]:
    """Yield the instructions that refuse the call unless the loaded number is one of `values`."""
    for place, value in enumerate(values):
        yield _line(_EQUAL, value, len(values) - place, 0)
    yield _line(_RETURN, _REFUSE)


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


# Landlock (Linux): restricts this process to opening or changing files below given folders, and to given TCP ports.
#
# Landlock needs no privileges (Linux 5.13 and newer); see landlock(7) and include/uapi/linux/landlock.h. File
# descriptors that are already open stay usable. Modes, owners and times of files are not covered.

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on all architectures
_VERSION = 1  # flag of create_ruleset: return the version of the interface
_BENEATH, _PORT = 1, 2  # types of rules
_LANDLOCK_NO_NEW_PRIVILEGES = 38


class Access(IntFlag):
    """The rights on files below a folder, as combinations of the kernel's bits."""

    RUN = 1 << 0
    READ = 1 << 2 | 1 << 3  # files, and the names in folders
    # Write and truncate files; make and remove files, folders and sockets; rename, also from folder to folder.
    DEVICE = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 15
    CHANGE = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 13 | 1 << 14


_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # the rights that a rule for a single file may have
# The number of file rights in each version; the kernel refuses rights it does not know.
_FILE_RIGHTS = (0, 13, 14, 15, 15, 16)
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6
_BIND, _CONNECT = 1 << 0, 1 << 1
_ALL_SCOPES = 0b11  # abstract sockets and signals of other processes


def restrict(
    rules: Iterable[tuple[str, Access]],
    *,
    read_anything: bool = False,
    ports: Collection[int] = (),
    listening: Collection[int] = (),
) -> bool:
    """Restrict this thread and its children to `rules` (paths, what is allowed below); return whether that works.

    With `read_anything` reading and executing stay as they were. TCP connections are made to `ports` only, and
    accepted at the ports `listening`; 0 is one that the system chooses.
    Call it while the process has a single thread.
    """
    if not sys.platform.startswith("linux"):
        return False
    system = ctypes.CDLL(None, use_errno=True)
    version = system.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)
    if version < 1:
        return False
    restricted = (1 << _FILE_RIGHTS[min(version, len(_FILE_RIGHTS) - 1)]) - 1
    if read_anything:
        restricted &= ~(Access.READ | Access.RUN)
    ruleset = _ruleset(system, version, restricted)
    if ruleset < 0:
        return False
    try:
        for path, access in rules:
            _allow_below(system, ruleset, path, access & restricted)
        for right, numbers in ((_CONNECT, ports), (_BIND, listening)):
            for port in numbers:
                system.syscall(_ADD_RULE, ruleset, _PORT, struct.pack("=QQ", right, port), 0)
        none = ctypes.c_ulong(0)
        if system.prctl(_LANDLOCK_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), none, none, none) != 0:
            return False
        return bool(system.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _ruleset(system: ctypes.CDLL, version: int, rights: int) -> int:
    attributes = struct.pack("=Q", rights)
    if version >= _NETWORK_SINCE:
        attributes += struct.pack("=Q", _BIND | _CONNECT)
    if version >= _SCOPES_SINCE:
        attributes += struct.pack("=Q", _ALL_SCOPES)
    return int(system.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))


def _allow_below(system: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    with suppress(OSError):  # a missing path needs no rule
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            rule = struct.pack("=Qi", rights if is_folder else rights & _OF_FILES, descriptor)
            system.syscall(_ADD_RULE, ruleset, _BENEATH, rule, 0)
        finally:
            os.close(descriptor)
