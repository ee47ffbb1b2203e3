"""Equations of Word and of web pages on one line."""

import pytest
from lxml import etree

from desktop_rag.documents.formats.equations import equation

_OMML = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def word(inside: str) -> str:
    return equation(etree.fromstring(f'<m:oMath xmlns:m="{_OMML}">{inside}</m:oMath>'))


def page(inside: str) -> str:
    return equation(etree.fromstring(f"<math>{inside}</math>"))


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        (f"<m:f><m:num>{run('a+b')}</m:num><m:den>{run('2')}</m:den></m:f>", "(a+b)/2"),
        (f"<m:f><m:num>{run('3')}</m:num><m:den>{run('4')}</m:den></m:f>", "3/4"),
        (f"<m:rad><m:radPr/><m:deg/><m:e>{run('16')}</m:e></m:rad>", "√16"),
        (f"<m:rad><m:deg>{run('3')}</m:deg><m:e>{run('x+1')}</m:e></m:rad>", "³√(x+1)"),
        (f"{run('E=m')}<m:sSup><m:e>{run('c')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "E=mc²"),
        (f"<m:sSup><m:e>{run('e')}</m:e><m:sup>{run('x+y')}</m:sup></m:sSup>", "e^(x+y)"),
        (f"<m:sSub><m:e>{run('x')}</m:e><m:sub>{run('1')}</m:sub></m:sSub>", "x₁"),
        (f"<m:d><m:e>{run('a')}</m:e></m:d>", "(a)"),
    ],
)
def test_an_equation_of_word(inside: str, shown: str) -> None:
    assert word(inside) == shown


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("<mfrac><mn>3</mn><mn>4</mn></mfrac>", "3/4"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<msqrt><mn>16</mn></msqrt>", "√16"),
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E=mc²"),
        ("<semantics><mn>7</mn><annotation>7 in TeX</annotation></semantics>", "7"),
    ],
)
def test_an_equation_of_a_page(inside: str, shown: str) -> None:
    assert page(inside) == shown


def test_a_deep_equation_ends() -> None:
    assert "x" in page("<mrow>" * 200 + "<mi>x</mi>" + "</mrow>" * 200)
