"""Landlock (Linux): restricts this process to opening files below given folders, and only for reading.

Landlock needs no privileges (Linux 5.13 and newer); see landlock(7) and include/uapi/linux/landlock.h. File
descriptors that are already open stay usable.
"""

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on all architectures
_VERSION = 1  # flag of create_ruleset: return the version of the interface
_BENEATH = 1  # type of a rule
_NO_NEW_PRIVILEGES = 38

_RUN, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
# The number of file rights in each version; the kernel refuses rights it does not know.
_FILE_RIGHTS = (0, 13, 14, 15, 15, 16)
_NETWORK_SINCE, _SCOPES_SINCE = 4, 6
_ALL_NETWORK = 0b11  # bind and connect
_ALL_SCOPES = 0b11  # abstract sockets and signals of other processes


def read_only_below(paths: Iterable[str], runnable: Iterable[str] = ()) -> bool:
    """Restrict this thread and its children to reading below `paths`; return whether the kernel enforces it.

    Files below `runnable` may also be executed. Call it while the process has a single thread.
    """
    if not sys.platform.startswith("linux"):
        return False
    system = ctypes.CDLL(None, use_errno=True)
    version = system.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)
    if version < 1:
        return False
    ruleset = _ruleset(system, version)
    if ruleset < 0:
        return False
    try:
        for path in paths:
            _allow(system, ruleset, path, _READ_FILE)
        for path in runnable:
            _allow(system, ruleset, path, _READ_FILE | _RUN)
        none = ctypes.c_ulong(0)
        if system.prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), none, none, none) != 0:
            return False
        return bool(system.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _ruleset(system: ctypes.CDLL, version: int) -> int:
    rights = (1 << _FILE_RIGHTS[min(version, len(_FILE_RIGHTS) - 1)]) - 1
    attributes = struct.pack("=Q", rights)
    if version >= _NETWORK_SINCE:
        attributes += struct.pack("=Q", _ALL_NETWORK)
    if version >= _SCOPES_SINCE:
        attributes += struct.pack("=Q", _ALL_SCOPES)
    return int(system.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))


def _allow(system: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    with suppress(OSError):  # a missing path needs no rule
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
            rule = struct.pack("=Qi", rights | _READ_FOLDER if is_folder else rights, descriptor)
            system.syscall(_ADD_RULE, ruleset, _BENEATH, rule, 0)
        finally:
            os.close(descriptor)
