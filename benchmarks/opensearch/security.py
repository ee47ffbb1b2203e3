"""Prepares a cluster for the security plugin: an authority with certificates, ways to sign in, users and roles."""

import base64
import datetime
import hashlib
import hmac
import ipaddress
import json
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from benchmarks.opensearch.cluster import ClusterError, Security

ADMIN, NODE = "admin", "node"
_KEY = hashlib.sha512(b"signs the tokens of tests").digest()
_SECONDS = 60.0  # for the plugin to load its first configuration
_EMPTY = {
    "internal_users": "internalusers",
    "roles": "roles",
    "roles_mapping": "rolesmapping",
    "action_groups": "actiongroups",
    "tenants": "tenants",
    "nodes_dn": "nodesdn",
}
_SIGN_IN: tuple[tuple[str, str, Mapping[str, object], str], ...] = (
    ("token", "jwt", {"signing_key": base64.b64encode(_KEY).decode(), "subject_key": "sub"}, "noop"),
    ("certificate", "clientcert", {"username_attribute": "cn"}, "noop"),
    ("password", "basic", {}, "intern"),
)


class Authority:
    """An authority of its own in a folder: `ca` is its certificate."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("authority of a test")
        self.ca = folder / "ca.pem"
        constraints = x509.BasicConstraints(ca=True, path_length=None)
        builder = _builder(self._name, self._name, self._key).add_extension(constraints, critical=True)
        self.ca.write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str, password: bytes = b"") -> Path:
        """Return a PEM file with a certificate for this name, for servers and clients on loopback, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        hosts = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
        builder = _builder(_name(name), self._name, key)
        signed = builder.add_extension(hosts, critical=False).add_extension(usage, critical=False)
        locked = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
        private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked)
        path = self.folder / f"{name}.pem"
        path.write_bytes(signed.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM) + private)
        return path


def prepare(folder: Path, nodes: int = 2) -> Security:
    """Write certificates and the first configuration of a cluster in `folder`, and return what its nodes need."""
    authority = Authority(folder)
    authority.issue(ADMIN)
    own = authority.issue(NODE)
    for number in range(nodes):
        _write_configuration(folder / f"node-{number + 1}" / "opensearch-security")
    settings = {
        "plugin": "org.opensearch.security.OpenSearchSecurityPlugin",
        "plugins.security.ssl.http.enabled": "true",
        "plugins.security.ssl.http.clientauth_mode": "OPTIONAL",
        "plugins.security.ssl.transport.enforce_hostname_verification": "false",
        "plugins.security.allow_default_init_securityindex": "true",
        "plugins.security.authcz.admin_dn": f"CN={ADMIN}",
        "plugins.security.nodes_dn": f"CN={NODE}",
        "plugins.security.audit.type": "noop",
    }
    for layer in ("transport", "http"):
        place = f"plugins.security.ssl.{layer}"
        settings |= {f"{place}.pemcert_filepath": str(own), f"{place}.pemkey_filepath": str(own)}
        settings[f"{place}.pemtrustedcas_filepath"] = str(authority.ca)
    return Security(settings, admin_context(folder))


def admin_context(folder: Path) -> ssl.SSLContext:
    """Return the TLS context of the administrator, whose certificate may do everything."""
    context = ssl.create_default_context(cafile=str(folder / "ca.pem"))
    context.load_cert_chain(folder / f"{ADMIN}.pem")
    return context


def configure(url: str, context: ssl.SSLContext, path: str, body: Mapping[str, object]) -> None:
    """Write a role (`roles/NAME`), its users (`rolesmapping/NAME`) or a user (`internalusers/NAME`).

    Waits until the plugin has started; raises `ClusterError`.
    """
    data, ends = json.dumps(body).encode(), time.monotonic() + _SECONDS
    while True:
        request = urllib.request.Request(f"{url}/_plugins/_security/api/{path}", data, method="PUT")
        request.add_header("Content-Type", "application/json")
        try:
            urllib.request.urlopen(request, timeout=20.0, context=context).close()
            return
        except urllib.error.HTTPError as error:
            if error.code < 500 or time.monotonic() >= ends:
                raise ClusterError(f"{path} was refused: {error.read()[:300]!r}") from error
            time.sleep(0.3)


def token(user: str, roles: Sequence[str] = ()) -> str:
    """Return a token (JWT) of a user, valid for an hour."""
    claims = {"sub": user, "roles": list(roles), "exp": int(time.time()) + 3600}
    parts = [_part(json.dumps(each).encode()) for each in ({"alg": "HS512", "typ": "JWT"}, claims)]
    signature = hmac.new(_KEY, ".".join(parts).encode(), hashlib.sha512).digest()
    return ".".join([*parts, _part(signature)])


def _part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, common)])


def _builder(name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=9))


def _write_configuration(folder: Path) -> None:
    """Write the first configuration, in JSON, which is YAML too: no users, no roles."""
    folder.mkdir(parents=True)
    domains = {
        name: {
            "http_enabled": True,
            "order": order,
            "http_authenticator": {"type": kind, "challenge": False, "config": options},
            "authentication_backend": {"type": backend},
        }
        for order, (name, kind, options, backend) in enumerate(_SIGN_IN)
    }
    dynamic = {"http": {"anonymous_auth_enabled": False}, "authc": domains}
    files: dict[str, dict[str, object]] = {name: {"_meta": _meta(kind)} for name, kind in _EMPTY.items()}
    files["config"] = {"_meta": _meta("config"), "config": {"dynamic": dynamic}}
    files["allowlist"] = {"_meta": _meta("allowlist"), "config": {"enabled": False, "requests": {}}}
    files["audit"] = {"_meta": _meta("audit"), "config": {"enabled": False}}
    for name, content in files.items():
        (folder / f"{name}.yml").write_text(json.dumps(content), encoding="utf-8")


def _meta(kind: str) -> dict[str, object]:
    return {"type": kind, "config_version": 2}
