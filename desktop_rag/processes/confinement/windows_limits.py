"""Windows: takes rights from this process that it could use against the user, as far as a process can by itself.

It loses its privileges, the clipboard and other windows (a job object), new processes, libraries from the network and
hooks of other programs (mitigation policies). One that changes no files falls to low integrity, at which Windows
refuses changes to the user's files, and messages and threads in the user's programs. Reading files and the network
stay open: Windows closes them only for a process that is started in an AppContainer.

See AssignProcessToJobObject, AdjustTokenPrivileges, SetTokenInformation and SetProcessMitigationPolicy in Microsoft's
documentation, and winnt.h for the numbers.
"""

import ctypes
import struct
import sys

from desktop_rag.processes.confinement.seccomp import Allowed

_BASIC_LIMITS, _UI_LIMITS = 2, 4  # classes of information about a job
_ACTIVE_PROCESSES = 0x8
_ALL_UI_LIMITS = 0xFF  # handles, clipboard, settings, display, atoms, desktops, shutting down

_QUERY, _ADJUST_PRIVILEGES, _ADJUST_DEFAULT = 0x8, 0x20, 0x80  # rights on a token
_PRIVILEGES, _INTEGRITY = 3, 25  # classes of information about a token
_REMOVED, _IS_INTEGRITY = 0x4, 0x20
_PASS_FOLDERS = 23  # SeChangeNotifyPrivilege: to open a file below a folder that cannot be read; everyone has it
_LOW = "S-1-16-4096"

_NO_EXTENSIONS, _LIBRARIES, _CHILDREN = 6, 10, 13  # mitigation policies
_NOT_FROM_NETWORK, _NOT_OF_LOW_INTEGRITY = 0x1, 0x2


def basic_limits(allowed: Allowed) -> bytes:
    """Return JOBOBJECT_BASIC_LIMIT_INFORMATION: one process in the job, unless it may start others."""
    flags = 0 if _may_start_processes(allowed) else _ACTIVE_PROCESSES
    # Two times, the flags, two sizes of the working set, the count of processes, affinity, priority, scheduling.
    return struct.pack("=qqIxxxxQQIxxxxQII", 0, 0, flags, 0, 0, 1, 0, 0, 0)


def removing(privileges: bytes) -> bytes:
    """Return TOKEN_PRIVILEGES that removes all of those given but one; what is removed cannot be taken back."""
    [count] = struct.unpack_from("=I", privileges)
    entries = [struct.unpack_from("=IiI", privileges, 4 + 12 * number) for number in range(count)]
    removed = [struct.pack("=IiI", low, high, _REMOVED) for low, high, _ in entries if low != _PASS_FOLDERS]
    return struct.pack("=I", len(removed)) + b"".join(removed)


def limit(allowed: Allowed) -> bool:
    """Take the rights from this process that `allowed` does not leave it; return whether all of it works."""
    if sys.platform != "win32":
        return False
    kernel, security = ctypes.WinDLL("kernel32"), ctypes.WinDLL("advapi32")
    kernel.GetCurrentProcess.restype = kernel.CreateJobObjectW.restype = ctypes.c_void_p
    process = ctypes.c_void_p(kernel.GetCurrentProcess())
    policies = [(_NO_EXTENSIONS, 1), (_LIBRARIES, _NOT_FROM_NETWORK | _NOT_OF_LOW_INTEGRITY)]
    if not _may_start_processes(allowed):
        policies.append((_CHILDREN, 1))
    # Every step is tried: what one version of Windows does not know must not cost the others.
    done = [_enter_job(kernel, process, allowed), _lower_token(kernel, security, process, allowed)]
    for policy, flags in policies:
        done.append(bool(kernel.SetProcessMitigationPolicy(policy, struct.pack("=I", flags), ctypes.c_size_t(4))))
    return all(done)


def _may_start_processes(allowed: Allowed) -> bool:
    """Return whether other programs may run: here each one needs a process of its own."""
    return bool(allowed & (Allowed.EXECUTE | Allowed.PROCESSES))


def _enter_job(kernel: ctypes.CDLL, process: ctypes.c_void_p, allowed: Allowed) -> bool:
    """Enter a job of its own, whose handle stays open as long as the process."""
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = ((_BASIC_LIMITS, basic_limits(allowed)), (_UI_LIMITS, struct.pack("=I", _ALL_UI_LIMITS)))
    set_all = [kernel.SetInformationJobObject(job, kind, data, len(data)) for kind, data in limits]
    return all((*set_all, kernel.AssignProcessToJobObject(job, process)))


def _lower_token(kernel: ctypes.CDLL, security: ctypes.CDLL, process: ctypes.c_void_p, allowed: Allowed) -> bool:
    """Remove all privileges and, if the process changes no files, fall to low integrity."""
    token = ctypes.c_void_p()
    if not security.OpenProcessToken(process, _QUERY | _ADJUST_PRIVILEGES | _ADJUST_DEFAULT, ctypes.byref(token)):
        return False
    try:
        held, size = ctypes.create_string_buffer(4096), ctypes.c_uint32()
        done = security.GetTokenInformation(token, _PRIVILEGES, held, len(held), ctypes.byref(size))
        removed = removing(held.raw)
        done = done and security.AdjustTokenPrivileges(token, 0, removed, len(removed), None, None)
        if Allowed.CHANGE_FILES not in allowed:
            done = _fall_to_low_integrity(security, token) and done
        return bool(done)
    finally:
        kernel.CloseHandle(token)


def _fall_to_low_integrity(security: ctypes.CDLL, token: ctypes.c_void_p) -> bool:
    identifier = ctypes.c_void_p()
    if not security.ConvertStringSidToSidW(_LOW, ctypes.byref(identifier)):
        return False
    label = struct.pack("=QIxxxx", identifier.value or 0, _IS_INTEGRITY)  # TOKEN_MANDATORY_LABEL
    size = len(label) + security.GetLengthSid(identifier)
    return bool(security.SetTokenInformation(token, _INTEGRITY, label, size))
