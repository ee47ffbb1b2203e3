"""What an older reader made of a file is made anew in the background; until then it serves."""

from desktop_rag.index.catalog.database import Database, marks


def queue_outdated(database: Database, reader: int, limit: int) -> int:
    """Queue some files whose content was read by an older reader than this, the newest first; return how many.

    Only files of active roots: what cannot be read now keeps what is known of it.
    """
    files = database.values(
        int,
        "SELECT file.id FROM file JOIN content ON content.id = file.content AND content.reader < ? "
        "JOIN folder ON folder.id = file.folder AND folder.removed_ns = 0 AND folder.state = 'active' "
        "WHERE pending = 0 ORDER BY mtime_ns DESC LIMIT ?",
        (reader, limit),
    )
    database.execute(f"UPDATE file SET pending = 1 WHERE id IN ({marks(len(files))})", files)
    return len(files)
