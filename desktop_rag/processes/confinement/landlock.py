"""Landlock (Linux): restricts this process to opening or changing files below given folders, and to given TCP ports.

Landlock needs no privileges (Linux 5.13 and newer); see landlock(7) and include/uapi/linux/landlock.h. File
descriptors that are already open stay usable. Modes, owners and times of files are not covered.
"""

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from enum import IntFlag

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on all architectures
_VERSION = 1  # flag of create_ruleset: return the version of the interface
_BENEATH, _PORT = 1, 2  # types of rules
_NO_NEW_PRIVILEGES = 38


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
        if system.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), none, none, none) != 0:
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
