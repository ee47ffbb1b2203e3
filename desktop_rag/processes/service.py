"""A service declares the requests of a process once: as the methods of a protocol.

The signature of a method is the whole declaration. Its name is the name of the request, its parameters are the fields
(all but the last, `stop`), and its return annotation is the type of the one reply, or of each reply for a `Generator`.
The wire format, the client's methods (`remote_method`) and the dispatch (`Service.handler`) follow from it.
"""

import inspect
from collections.abc import Callable, Generator
from contextlib import closing
from types import GenericAlias
from typing import Concatenate, Generic, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec

from desktop_rag.decoding import msgpack_decoder
from desktop_rag.errors import ProcessError
from desktop_rag.processes.remote import Caller
from desktop_rag.processes.serving import Handler
from desktop_rag.processes.wire import decode_path, decoded, encode_path
from desktop_rag.stop import Stop

Declared = TypeVar("Declared")
Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")

_encoder = msgspec.msgpack.Encoder(enc_hook=encode_path)
_request_decoder = msgpack_decoder(tuple[str, msgspec.Raw])


class Call(Generic[Parameters, Returned]):
    """One request of a service; decoding checks every argument and every reply against the declared types."""

    def __init__(self, method: Callable[Concatenate[Declared, Parameters], Returned]) -> None:
        self.name = method.__name__
        hints = get_type_hints(method)
        reply = hints["return"]
        _, *parameters = inspect.signature(method).parameters.values()  # without `self`
        if not parameters or hints[parameters[-1].name] is not Stop:
            raise TypeError(f"{self.name} is not a request: its last parameter is no `Stop`")
        self._signature = inspect.Signature(parameters)
        self._streams = get_origin(reply) is Generator
        fields = tuple(hints[parameter.name] for parameter in parameters[:-1])
        self._arguments = msgpack_decoder(cast("type[tuple[object, ...]]", GenericAlias(tuple, fields)), decode_path)
        self._reply: msgspec.msgpack.Decoder[object] = msgpack_decoder(
            get_args(reply)[0] if self._streams else reply, decode_path
        )

    def ask(self, remote: Caller, *given: Parameters.args, **named: Parameters.kwargs) -> Returned:
        """Send the request; return the reply, or a generator of the replies as they come."""
        bound = self._signature.bind(*given, **named)
        bound.apply_defaults()
        *arguments, stop = bound.arguments.values()
        payload = _encoder.encode((self.name, arguments))
        if self._streams:
            return cast("Returned", self._replies(remote, payload, stop))
        return cast("Returned", self._decoded(remote.call(payload, stop)))

    def answer(self, method: Callable[..., object], arguments: msgspec.Raw, stop: Stop) -> Generator[bytes]:
        """Call the implementation of the request; yield its encoded replies."""
        try:
            fields = decoded(self._arguments, arguments)
        except ValueError as error:
            raise ProcessError(f"The request {self.name} has wrong arguments: {error}") from error
        returned = method(*fields, stop)
        if not self._streams:
            yield _encoder.encode(returned)
            return
        with closing(cast("Generator[object]", returned)) as replies:
            for reply in replies:
                yield _encoder.encode(reply)

    def _replies(self, remote: Caller, payload: bytes, stop: Stop) -> Generator[object]:
        with closing(remote.stream(payload, stop)) as replies:
            for reply in replies:
                yield self._decoded(reply)

    def _decoded(self, payload: bytes) -> object:
        try:
            return decoded(self._reply, payload)
        except ValueError as error:
            raise ProcessError(f"The background process gave an invalid answer to {self.name}.") from error


class Service(Generic[Declared]):
    """The requests of one process: the public methods of a protocol."""

    def __init__(self, protocol: type[object]) -> None:
        methods = inspect.getmembers(protocol, inspect.isfunction)
        self._calls = {name: Call(method) for name, method in methods if not name.startswith("_")}

    def handler(self, implementation: Declared) -> Handler:
        """Return the handler that dispatches each request to the method of `implementation` with its name."""

        def handle(payload: bytes, stop: Stop) -> Generator[bytes]:
            try:
                name, arguments = decoded(_request_decoder, payload)
            except ValueError as error:
                raise ProcessError("The request cannot be decoded.") from error
            call = self._calls.get(name)
            if call is None:
                raise ProcessError(f"There is no request {name!r}.")
            yield from call.answer(getattr(implementation, name), arguments, stop)

        return handle


class ServiceClient:
    """Base of the clients of a service, whose methods are `remote_method`s; any thread may call them."""

    def __init__(self, remote: Caller) -> None:
        self._remote = remote

    def close(self) -> None:
        """Close the connection, and end the process if it is a child; later requests fail."""
        self._remote.close()

    @property
    def remote(self) -> Caller:
        """Return what answers: a process, or a pool of them."""
        return self._remote


def remote_method(
    method: Callable[Concatenate[Declared, Parameters], Returned],
) -> Callable[Concatenate[ServiceClient, Parameters], Returned]:
    """Return the client's method that sends the request declared by `method`."""
    call = Call(method)

    def ask(client: ServiceClient, /, *given: Parameters.args, **named: Parameters.kwargs) -> Returned:
        return call.ask(client.remote, *given, **named)

    ask.__name__, ask.__doc__ = method.__name__, method.__doc__
    return ask
