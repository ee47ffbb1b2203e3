"""Decides whether a request may go to a host: this computer always, others if the user allows it."""

from urllib.parse import urlsplit

from desktop_rag.errors import SendingRefused
from desktop_rag.llm.transport import address_candidates, is_loopback
from desktop_rag.settings import PrivacyOptions, Profile

THIS_COMPUTER = "this computer"


def host_of(profile: Profile) -> str:
    """Return the host of an endpoint in the form in which it is resolved, with its port if the address names one.

    Non-ASCII letters are encoded: they may look like those of a known host. Raises `ModelUnreachable`.
    """
    if profile.model_file:
        return THIS_COMPUTER
    parts = urlsplit(address_candidates(profile.base_url)[0])
    host = _looked_up(parts.hostname or "")
    return f"{host}:{parts.port}" if parts.port else host


def _looked_up(host: str) -> str:
    if host.isascii():
        return host
    import httpx2  # encodes the host of a request; takes 0.1 s

    try:
        return httpx2.URL(f"https://{host}").raw_host.decode("ascii")
    except httpx2.InvalidURL:
        return host.encode("ascii", "backslashreplace").decode("ascii")


def is_local(profile: Profile) -> bool:
    """Return whether an endpoint is on this computer."""
    return bool(profile.model_file) or is_loopback(address_candidates(profile.base_url)[0])


def needs_confirmation(profile: Profile, privacy: PrivacyOptions) -> bool:
    """Return whether the user has to allow this host before anything is sent to it."""
    return (
        not (is_local(profile) or profile.local_only or privacy.offline)
        and host_of(profile) not in privacy.confirmed_hosts
    )


def check_host(profile: Profile, privacy: PrivacyOptions) -> None:
    """Raise `SendingRefused` if nothing may be sent to the endpoint."""
    if is_local(profile):
        return
    host = host_of(profile)
    if privacy.offline:
        raise SendingRefused(
            f"Nothing was sent to {host}: the program is set to work offline. Change that in the settings under "
            "Privacy, or choose the built-in model."
        )
    if profile.local_only:
        raise SendingRefused(
            f"Nothing was sent to {host}: “{profile.name}” is set to be on this computer only, and this address is not."
        )
    if host not in privacy.confirmed_hosts:
        raise SendingRefused(
            f"Nothing was sent to {host} yet: allow it in the window when it asks, or with `desktop-rag sent --allow "
            f"{host}`. It will receive your questions and the passages that are read to answer them."
        )
