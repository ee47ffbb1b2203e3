"""Claims in German, French and Spanish over lines of the same language: what is honest, and what each lie changes."""

import pytest

from desktop_rag.agent.citations.claim_check import check_claim
from desktop_rag.agent.citations.support import CitedLines


def is_doubted(claim: str, line: str) -> bool:
    return bool(check_claim(claim, [CitedLines({1: line})], "").faults)


GERMAN = (
    "Die Miete beträgt 1.250,50 Euro im Monat. Sie ist bis zum dritten Werktag zu zahlen.",
    "Das Mietverhältnis beginnt am 1. April 2023.",
    "Der Mieter darf keine Tiere halten.",
    "Mieterin ist Frau Helga Brandt, Vermieter ist Herr Otto Krause.",
    "Der Antrag auf einen neuen Steg wurde mit 14 gegen 3 Stimmen angenommen.",
    "Der Beitrag wird nicht erhöht.",
    "Die Wärmepumpe hat eine Leistung von 12,4 Kilowatt. Sie wurde 2019 von der Firma Nordtherm eingebaut.",
    "Die Wartung erfolgt jährlich im Oktober.",
    "Der Umsatz stieg 2022 um 4,5 % auf 2,3 Millionen Euro.",
    "Die Haftung ist ausgeschlossen.",
)
FRENCH = (
    "Le loyer est de 1 350,75 euros par mois.",
    "Le bail commence le 1er février 2021 et dure neuf ans.",
    "Le locataire ne peut jamais sous-louer le hangar.",
    "La locataire est Mme Claire Moreau, le propriétaire est M. Luc Bernard.",
    "Le chiffre d'affaires a augmenté de 4,5 % pour atteindre 2,3 millions d'euros.",
    "L'effectif est passé de 38 à 41 salariés.",
    "L'usine de Nantes a fermé en août 2022.",
    "La garantie ne couvre pas les dégâts des eaux.",
    "La piscine est ouverte tous les jours.",
    "Le projet a été approuvé par le conseil.",
)
SPANISH = (
    "El alquiler es de 980,40 euros al mes.",
    "El contrato empieza el 1 de marzo de 2022 y dura cinco años.",
    "El inquilino no puede subarrendar el almacén.",
    "Asistieron Marta Ruiz, Diego Soto y Elena Campos.",
    "Se aprobó la compra de una grúa por 45.600 euros.",
    "La cuota no aumenta. La próxima reunión será el 14 de septiembre de 2023.",
    "Las ventas bajaron un 3,2 % en 2021.",
)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Die Miete beträgt 1.250,50 Euro monatlich.", GERMAN[0]),
        ("Die Monatsmiete liegt bei 1250,50 €.", GERMAN[0]),
        ("Die Miete beträgt rund 1.250 Euro.", GERMAN[0]),
        ("Das Mietverhältnis beginnt am 01.04.2023.", GERMAN[1]),
        ("Mietbeginn ist der 1.4.2023.", GERMAN[1]),
        ("Tiere darf der Mieter nicht halten.", GERMAN[2]),
        ("Der Vermieter ist Otto Krause.", GERMAN[3]),
        ("Der Antrag wurde mit 14 zu 3 Stimmen angenommen.", GERMAN[4]),
        ("Der Beitrag bleibt unverändert.", GERMAN[5]),
        ("Eine Erhöhung des Beitrags gibt es nicht.", GERMAN[5]),
        ("Die Wärmepumpe leistet 12,4 kW.", GERMAN[6]),
        ("Nordtherm baute die Wärmepumpe 2019 ein.", GERMAN[6]),
        ("Gewartet wird jedes Jahr im Oktober.", GERMAN[7]),
        ("Der Umsatz wuchs 2022 um 4,5 Prozent.", GERMAN[8]),
        ("Der Umsatz erreichte 2,3 Mio. Euro.", GERMAN[8]),
        ("Le loyer mensuel est de 1350,75 €.", FRENCH[0]),
        ("Le bail débute le 1er février 2021.", FRENCH[1]),
        ("Le bail dure 9 ans.", FRENCH[1]),
        ("La sous-location du hangar n'est jamais possible.", FRENCH[2]),
        ("Le propriétaire est Luc Bernard.", FRENCH[3]),
        ("Le chiffre d'affaires a progressé de 4,5 %.", FRENCH[4]),
        ("L'effectif compte désormais 41 salariés.", FRENCH[5]),
        ("L'usine nantaise a fermé en août 2022.", FRENCH[6]),
        ("Les dégâts des eaux ne sont pas couverts.", FRENCH[7]),
        ("Le conseil a approuvé le projet.", FRENCH[9]),
        ("El alquiler mensual es de 980,40 €.", SPANISH[0]),
        ("El contrato dura cinco años.", SPANISH[1]),
        ("El contrato dura 5 años.", SPANISH[1]),
        ("El inquilino no tiene derecho a subarrendar el almacén.", SPANISH[2]),
        ("Asistieron Marta Ruiz y Elena Campos.", SPANISH[3]),
        ("La grúa cuesta 45.600 euros.", SPANISH[4]),
        ("La cuota no aumenta. La próxima reunión será el 14 de septiembre de 2023.", SPANISH[5]),
        ("La cuota no aumenta.", SPANISH[5]),
        ("Las ventas cayeron un 3,2 % en 2021.", SPANISH[6]),
        ("Der Beitrag wird nicht erhöht.", GERMAN[5]),
        ("Le locataire ne peut jamais sous-louer le hangar.", FRENCH[2]),
    ],
)
def test_an_honest_claim_is_not_doubted(claim: str, line: str) -> None:
    assert not is_doubted(claim, line)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Die Miete beträgt 12.505 Euro im Monat.", GERMAN[0]),
        ("Die Miete beträgt 1.205,50 Euro im Monat.", GERMAN[0]),
        ("Die Miete ist bis zum fünften Werktag zu zahlen.", GERMAN[0]),
        ("Das Mietverhältnis beginnt am 1. Mai 2023.", GERMAN[1]),
        ("Das Mietverhältnis endet am 1. April 2023.", GERMAN[1]),
        ("Der Mieter darf Tiere halten.", GERMAN[2]),
        ("Der Vermieter ist Otto Kruse.", GERMAN[3]),
        ("Der Antrag wurde abgelehnt.", GERMAN[4]),
        ("Der Antrag wurde mit 3 gegen 14 Stimmen angenommen.", GERMAN[4]),
        ("Der Beitrag wird erhöht.", GERMAN[5]),
        ("Der Beitrag steigt.", GERMAN[5]),
        ("Die Wärmepumpe leistet 124 kW.", GERMAN[6]),
        ("Nordtherm baute die Wärmepumpe 2009 ein.", GERMAN[6]),
        ("Die Wartung erfolgt monatlich im Oktober.", GERMAN[7]),
        ("Die Wartung erfolgt jährlich im November.", GERMAN[7]),
        ("Der Umsatz sank 2022 um 4,5 %.", GERMAN[8]),
        ("Der Umsatz erreichte 2,3 Milliarden Euro.", GERMAN[8]),
        ("Die Haftung ist nicht ausgeschlossen.", GERMAN[9]),
        ("Le loyer est de 1 530,75 euros par mois.", FRENCH[0]),
        ("Le loyer est de 1 350,75 euros par an.", FRENCH[0]),
        ("Le bail commence le 1er mars 2021.", FRENCH[1]),
        ("Le bail dure six ans.", FRENCH[1]),
        ("Le locataire peut sous-louer le hangar.", FRENCH[2]),
        ("Le propriétaire est Luc Bertrand.", FRENCH[3]),
        ("Le chiffre d'affaires a baissé de 4,5 %.", FRENCH[4]),
        ("Le chiffre d'affaires a atteint 2,3 milliards d'euros.", FRENCH[4]),
        ("L'effectif est passé de 41 à 38 salariés.", FRENCH[5]),
        ("L'usine de Nantes a ouvert en août 2022.", FRENCH[6]),
        ("L'usine de Nantes a fermé en juillet 2022.", FRENCH[6]),
        ("La garantie couvre les dégâts des eaux.", FRENCH[7]),
        ("La piscine n'est pas ouverte tous les jours.", FRENCH[8]),
        ("La piscine est fermée tous les jours.", FRENCH[8]),
        ("El alquiler es de 890,40 euros al mes.", SPANISH[0]),
        ("El contrato empieza el 1 de mayo de 2022.", SPANISH[1]),
        ("El inquilino puede subarrendar el almacén.", SPANISH[2]),
        ("Asistieron Marta Ruiz y Elena Campillo.", SPANISH[3]),
        ("La grúa cuesta 54.600 euros.", SPANISH[4]),
        ("Se rechazó la compra de una grúa.", SPANISH[4]),
        ("La cuota aumenta.", SPANISH[5]),
        ("La próxima reunión será el 14 de octubre de 2023.", SPANISH[5]),
        ("Las ventas subieron un 3,2 % en 2021.", SPANISH[6]),
    ],
)
def test_a_lie_is_doubted(claim: str, line: str) -> None:
    assert is_doubted(claim, line)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Niemand stimmte gegen den Haushalt.", "Kein Mitglied hat gegen den Haushalt gestimmt."),
        ("Die Garantie gilt zwei Jahre ab Lieferung.", "Die Garantie gilt 24 Monate ab Lieferung."),
        ("La entrada al museo es gratuita.", "El museo cierra los lunes y no cobra entrada."),
        ("No hubo votos en contra del presupuesto.", "Nadie votó en contra del presupuesto."),
    ],
)
def test_nobody_and_free_are_negations_too(claim: str, line: str) -> None:
    assert not is_doubted(claim, line)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Vermieterin ist Helga Brandt.", GERMAN[3]),
        ("Vermieter ist Helga Brandt.", GERMAN[3]),
        ("The landlord is Helga Brandt.", "The tenant is Helga Brandt and the landlord is Otto Krause."),
        ("Le conseil a rejeté le projet.", "Le projet a été accepté par le conseil."),
        ("Le conseil a rejeté la demande.", "Le conseil a accepté la demande."),
        ("The board rejected the plan.", "The plan was accepted by the board."),
        ("El museo abre los lunes.", "El museo cierra los lunes y no cobra entrada."),
        ("Das Museum öffnet montags.", "Das Museum ist montags geschlossen und nimmt keinen Eintritt."),
        ("Personne n'a payé.", "La personne a payé."),
    ],
)
def test_other_roles_and_opposites_are_doubted(claim: str, line: str) -> None:
    assert is_doubted(claim, line)


@pytest.mark.parametrize(
    ("claim", "line"),
    [
        ("Mieter ist Helga Brandt.", GERMAN[3]),
        ("The landlord is Helga Brandt.", "Helga Brandt, the landlord, lets the flat to the tenant Otto Krause."),
        ("The landlord is Brandt.", "This lease is made between Brandt, landlord, and Krause, tenant."),
        ("Le conseil a accepté la demande.", "La demande a été acceptée par le conseil."),
        ("B is weaker than A.", "A is stronger than B."),
        ("Personne n'a voté contre le budget.", "Aucun membre n'a voté contre le budget."),
        ("Personne n'a payé le loyer.", "Le loyer n'a été payé par personne."),
        ("Los lunes el museo está cerrado.", "El museo cierra los lunes y no cobra entrada."),
    ],
)
def test_the_same_role_or_side_in_other_words_is_not_doubted(claim: str, line: str) -> None:
    assert not is_doubted(claim, line)
