from desktop_rag.errors import DesktopRagError as DesktopRagError
from desktop_rag.python_api.async_library import AsyncLibrary as AsyncLibrary
from desktop_rag.python_api.opened_library import OpenedLibrary as Library

__all__ = ["AsyncLibrary", "DesktopRagError", "Library", "__version__"]

__version__: str
