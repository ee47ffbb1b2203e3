"""Names in ZIP archives are in the code page of the system that wrote them."""

import io
import zipfile

import pytest

from desktop_rag.documents.format_registry import read_document


def packed(names: list[bytes]) -> bytes:
    """Return an archive whose names are these bytes, with no flag that tells their encoding."""
    stream = io.BytesIO()
    placed = {("@%$"[number] * len(name)): name for number, name in enumerate(names)}
    with zipfile.ZipFile(stream, "w") as archive:
        for place in placed:
            archive.writestr(place, "text")
    data = stream.getvalue()
    for place, name in placed.items():
        data = data.replace(place.encode(), name)
    return data


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp932", ["見積書_第１版.txt", "議事録2024.txt"]),
        ("gbk", ["合同扫描件.txt", "租赁发票2024.txt"]),
        ("cp866", ["Договор аренды.txt", "Счёт за март.txt"]),
        ("cp949", ["임대차 계약서 사본.txt", "세금 계산서.txt"]),
        ("cp437", ["Müller Rechnung.txt", "Prüfung Größe.txt"]),
        ("utf-8", ["Übersicht.txt"]),
        ("cp932", ["写真.txt"]),
        ("gbk", ["房屋租赁合同.txt"]),
        ("big5", ["租賃契約書.txt"]),
        ("cp949", ["회의록.txt"]),
        ("euc_jp", ["契約書の写し.txt"]),
        ("cp866", ["Счёт.txt"]),
        ("cp1251", ["Договор аренды.txt"]),
        ("cp437", ["Prüfbericht_été.txt"]),
        ("cp437", ["Größe.txt"]),
    ],
)
def test_a_name_is_read_as_it_was_written(encoding: str, names: list[str]) -> None:
    text = read_document("a.zip", packed([name.encode(encoding) for name in names])).text
    assert [line for line in text.split("\n") if line.endswith(".txt")] == names
