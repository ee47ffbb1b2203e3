"""Tells a client in a sentence what is wrong with the parameters of its request; the SDK only says that they are."""

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError

from desktop_rag.text.display import one_line, shorten

_Context = ServerRequestContext[Any, Any]
_Result = BaseModel | dict[str, Any] | None
_Next = Callable[[_Context], Awaitable[_Result]]
_KINDS = {
    "missing": "is missing",
    "string_type": "must be a text",
    "dict_type": "must be an object",
    "list_type": "must be a list",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
}
_UNSAID = "Invalid request parameters"  # what the SDK says before `initialize`


async def with_sentences(ctx: _Context, call_next: _Next) -> _Result:
    """Call the rest of the server; its refusal of parameters becomes one with a sentence."""
    method = shorten(one_line(ctx.method))
    try:
        return await call_next(ctx)
    except ValidationError as error:
        raise MCPError(types.INVALID_PARAMS, f"{method}: {_sentence(error)}") from None
    except MCPError as error:
        if error.error.code == types.METHOD_NOT_FOUND:
            raise MCPError(types.METHOD_NOT_FOUND, f"There is no method “{method}”.") from None
        if error.error.message != _UNSAID:
            raise
        raise MCPError(types.INVALID_PARAMS, "Send the request initialize first.") from None


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    name = ".".join(str(part) for part in first["loc"] if part != "params")
    if first["type"] == "literal_error":
        return f"“{name}” must be one of {first.get('ctx', {}).get('expected', 'those of the protocol')}."
    return f"“{shorten(one_line(name)) or 'params'}” {_KINDS.get(first['type'], 'is not as the protocol wants it')}."
