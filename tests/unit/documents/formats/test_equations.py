"""Equations of Word, slides, OpenDocument and web pages on one line."""

import pytest
from lxml import etree

from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats.equations import equation

_OMML = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def word(inside: str) -> str:
    return equation(etree.fromstring(f'<m:oMath xmlns:m="{_OMML}">{inside}</m:oMath>'))


def page(inside: str) -> str:
    return equation(etree.fromstring(f"<math>{inside}</math>"))


def run(text: str) -> str:
    return f'<m:r><m:t xml:space="preserve">{text}</m:t></m:r>'


def over(above: str, below: str) -> str:
    return f"<m:f><m:num>{run(above)}</m:num><m:den>{run(below)}</m:den></m:f>"


def nary(sign: str, below: str, above: str, inside: str) -> str:
    look = f'<m:naryPr><m:chr m:val="{sign}"/></m:naryPr>' if sign else "<m:naryPr/>"
    return f"<m:nary>{look}<m:sub>{below}</m:sub><m:sup>{above}</m:sup><m:e>{inside}</m:e></m:nary>"


def brackets(opening: str, closing: str, inside: str) -> str:
    signs = f'<m:begChr m:val="{opening}"/><m:endChr m:val="{closing}"/>'
    return f"<m:d><m:dPr>{signs}</m:dPr><m:e>{inside}</m:e></m:d>"


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        (over("a+b", "2"), "(a+b)/2"),
        (over("3", "4"), "3/4"),
        (run("1") + over("1", "2"), "1 1/2"),
        (run("x=") + over("1", "2") + run("y"), "x=1/2 y"),
        (over("(a+b)(c+d)", "2x"), "((a+b)(c+d))/(2x)"),
        (over("12,5", "c²"), "12,5/c²"),
        (f"<m:rad><m:radPr/><m:deg/><m:e>{run('16')}</m:e></m:rad>", "√16"),
        (f"<m:rad><m:deg>{run('3')}</m:deg><m:e>{run('x+1')}</m:e></m:rad>", "³√(x+1)"),
        (f"{run('E=m')}<m:sSup><m:e>{run('c')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "E=mc²"),
        (f"<m:sSup><m:e>{run('e')}</m:e><m:sup>{run('x+y')}</m:sup></m:sSup>", "e^(x+y)"),
        (f"<m:sSup><m:e>{over('1', '2')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>", "(1/2)²"),
        (f"<m:sSub><m:e>{run('x')}</m:e><m:sub>{run('1')}</m:sub></m:sSub>", "x₁"),
        (f"<m:sSubSup><m:e>{run('x')}</m:e><m:sub>{run('1')}</m:sub><m:sup>{run('2')}</m:sup></m:sSubSup>", "x₁²"),
        (f"<m:sPre><m:sub>{run('6')}</m:sub><m:sup>{run('14')}</m:sup><m:e>{run('C')}</m:e></m:sPre>", "¹⁴₆C"),
        (f"<m:d><m:e>{run('a')}</m:e></m:d>", "(a)"),
        (brackets("[", "]", brackets("{", "", run("a"))), "[{a]"),
        (nary("∑", run("i=1"), run("n"), run("x")), "∑_(i=1)^n x"),
        (nary("", run("0"), run("1"), nary("∏", "", "", run("x"))), "∫_0^1 ∏ x"),
        (brackets("{", "", f"<m:eqArr><m:e>{run('x,&amp;x&gt;0')}</m:e><m:e>{run('0')}</m:e></m:eqArr>"), "{x,x>0; 0"),
        (
            f"<m:func><m:fName><m:limLow><m:e>{run('lim')}</m:e><m:lim>{run('n→∞')}</m:lim></m:limLow></m:fName>"
            f"<m:e>{over('1', 'n')}</m:e></m:func>",
            "lim_(n→∞) 1/n",
        ),
        (f"<m:limUpp><m:e>{run('=')}</m:e><m:lim>{run('def')}</m:lim></m:limUpp>", "=^def"),
        (f"<m:func><m:fName>{run('sin')}</m:fName><m:e>{run('x')}</m:e></m:func>", "sin x"),
        (f'<m:bar><m:barPr><m:pos m:val="top"/></m:barPr><m:e>{run("x")}</m:e></m:bar>', "x\u0305"),
        (
            f"<m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num>{run('n')}</m:num><m:den>{run('k')}</m:den></m:f>",
            "n; k",
        ),
        (f"<m:m><m:mr><m:e>{run('1')}</m:e><m:e>{run('0')}</m:e></m:mr></m:m>", "[1, 0]"),
    ],
)
def test_an_equation_of_word(inside: str, shown: str) -> None:
    assert word(inside) == shown


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("<mfrac><mn>3</mn><mn>4</mn></mfrac>", "3/4"),
        ("<mn>1</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "1 1/2"),
        ("<mn>1</mn><mo>\u2064</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>", "1 1/2"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a+b)/2"),
        ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", "n; k"),
        ("<msqrt><mn>16</mn></msqrt>", "√16"),
        ("<mn>2</mn><mroot><mn>8</mn><mn>3</mn></mroot>", "2 ³√8"),
        ("<mi>E</mi><mo>=</mo><mi>m</mi><msup><mi>c</mi><mn>2</mn></msup>", "E=mc²"),
        ("<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>x</mi><mi>d</mi><mi>x</mi>", "∫_0^1 xdx"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x₁²"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
            "<msub><mi>x</mi><mi>i</mi></msub>",
            "∑_(i=1)^n x_i",
        ),
        ("<munder><mo>lim</mo><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder><mi>a</mi>", "lim_(n→∞) a"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u0305"),
        ("<munder><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mo>⏟</mo></munder>", "a+b"),
        ("<mmultiscripts><mi>U</mi><mprescripts/><mn>92</mn><mn>235</mn></mmultiscripts>", "²³⁵₉₂U"),
        ("<mmultiscripts><mi>C</mi><mn>2</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>", "¹⁴C₂"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(a)²"),
        ("<msup><mn>10</mn><mrow><mo>−</mo><mn>3</mn></mrow></msup>", "10⁻³"),
        ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mo>+</mo><mn>2</mn><mo>\u2062</mo><mi>y</mi>", "sin x+2y"),
        ("<mfenced separators=';'><mi>a</mi><mi>b</mi></mfenced>", "(a;b)"),
        ("<mtext>if&#160;</mtext><mi>x</mi>", "if x"),
        ("<semantics><mn>7</mn><annotation>7 in TeX</annotation></semantics>", "7"),
    ],
)
def test_an_equation_of_a_page(inside: str, shown: str) -> None:
    assert page(inside) == shown


def test_a_deep_equation_ends() -> None:
    assert "x" in page("<mrow>" * 200 + "<mi>x</mi>" + "</mrow>" * 200)


def test_an_equation_does_not_run_into_the_text_beside_it() -> None:
    half = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
    assert read_document("a.html", f"<p>Take 1{half}cups, or {half}.</p>".encode()).text == "Take 1 1/2 cups, or 1/2."


def test_pages_whose_elements_have_a_prefix() -> None:
    formula = "<m:msup><m:mn>2</m:mn><m:mn>5</m:mn></m:msup><m:mo>=</m:mo><m:msqrt><m:mn>49</m:mn></m:msqrt>"
    page = (
        "<?xml version='1.0'?><h:html xmlns:h='http://www.w3.org/1999/xhtml' xmlns:o='urn:other'><h:body><h:p>Rent 45"
        '<h:sup>2</h:sup>, <h:del>30</h:del> 31 <m:math xmlns:m="http://www.w3.org/1998/Math/MathML">'
        f"{formula}</m:math></h:p></h:body></h:html>"
    )
    assert read_document("a.xhtml", page.encode()).text == "Rent 45², [deleted: 30] 31 2⁵=√49"
