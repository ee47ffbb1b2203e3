"""Reads Outlook data files (.pst, .ost): every mail with its attachments, a section each, named by its folder."""

from functools import partial

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.mail.mail_message import MailAttachment, MailMessage, append_mail
from desktop_rag.documents.formats.mail.mapi_mail import ATTACHED, attachment_name, mapi_mail
from desktop_rag.documents.formats.mail.pst_nodes import PstDamaged, PstFile, PstNode, PstProperties
from desktop_rag.documents.formats.source_file import MAX_NESTING, SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_FOLDER, _MESSAGE, _ATTACHMENT = 2, 4, 5  # the lowest five bits of a node's id
_NAME = 0x3001
_OBJECT, _BINARY = 0x0D, 0x102
_MAX_FOLDERS_DEEP = 20


def read_pst(source: SourceFile, kind: Format) -> Document:
    """Return the mails of a data file; raises `DocumentError` if it is damaged or of an unsupported version."""
    builder = DocumentBuilder(kind)
    broken = 0
    with source.keep_partial(builder):
        try:
            mails = _Mails(source)
        except PstDamaged as error:
            raise DocumentError("This file is damaged or not an Outlook data file.", ProblemKind.DAMAGED) from error
        for number, (folder, node) in enumerate(mails.in_folders(), start=1):
            source.budget.check(builder.characters)
            try:
                mail = mails.mail(node, 0)
            except PstDamaged:
                broken += 1
                continue
            label = " › ".join(filter(None, (folder, f"Message {number}: {mail.subject}".rstrip(": "))))
            builder.add_blank()
            builder.begin_section(label)
            append_mail(mail, builder, source, label)
            builder.created = max(builder.created, mail.sent_text)
    if broken and not builder.partial:
        builder.leave_out("This file is damaged; only a part of it was read.", ProblemKind.DAMAGED)
    return builder.build("This mailbox contains no mails.")


class _Mails:
    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self._file = PstFile(source.data, source.budget)
        self._folders: dict[int, str] = {}

    def in_folders(self) -> list[tuple[str, PstNode]]:
        """Return the mails, each with the path of its folder, folder by folder."""
        nodes = self._file.nodes
        found = [
            (self._folder(node.parent, 0), identifier, node)
            for identifier, node in nodes.items()
            if identifier & 0x1F == _MESSAGE and node.parent & 0x1F == _FOLDER
        ]
        return [(folder, node) for folder, _, node in sorted(found, key=lambda one: one[:2])]

    def mail(self, node: PstNode, depth: int, code_page: str = "") -> MailMessage:
        """Return the mail of a node; raises `PstDamaged`."""
        properties = PstProperties(self._file, node, code_page)
        attachments: list[MailAttachment] = []
        for identifier, inner in sorted(properties.subnodes.items()):
            if identifier & 0x1F == _ATTACHMENT:
                attachments.append(self._attachment(inner, len(attachments) + 1, depth, properties.code_page))
        return mapi_mail(properties, (), attachments, self._source)

    def _attachment(self, node: PstNode, number: int, depth: int, code_page: str) -> MailAttachment:
        try:
            properties = PstProperties(self._file, node, code_page)
        except PstDamaged:
            return MailAttachment(f"Attachment {number}", bytes)
        name = attachment_name(properties, number)
        embedded = int.from_bytes(properties.stored(ATTACHED, _OBJECT)[:4], "little")
        inner = properties.subnodes.get(embedded)
        if inner is not None and depth < MAX_NESTING:
            return MailAttachment(name, bytes, mail=partial(self._embedded, inner, depth + 1, code_page))
        size = properties.size(ATTACHED, _BINARY)
        return MailAttachment(name, partial(properties.binary, ATTACHED), size)

    def _embedded(self, node: PstNode, depth: int, code_page: str) -> MailMessage:
        try:
            return self.mail(node, depth, code_page)
        except PstDamaged:
            return MailMessage(people=())

    def _folder(self, identifier: int, depth: int) -> str:
        """Return the path of a folder without the roots, which have no names of their own."""
        node = self._file.nodes.get(identifier)
        if node is None or depth > _MAX_FOLDERS_DEEP or node.parent == identifier:
            return ""
        if identifier not in self._folders:
            try:
                name = PstProperties(self._file, node).line(_NAME)
            except PstDamaged:
                name = ""
            above = self._folder(node.parent, depth + 1)
            self._folders[identifier] = " › ".join(filter(None, (above, name)))
        return self._folders[identifier]
