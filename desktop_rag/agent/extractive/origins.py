"""Countries and nationalities: "Swedish" and "Sweden" name the same origin."""

import re

_COUNTRIES = """
Afghanistan Afghan/Albania Albanian/Algeria Algerian/Argentina Argentine Argentinian/Armenia Armenian/
Australia Australian/Austria Austrian/Azerbaijan Azerbaijani/Bangladesh Bangladeshi/Belarus Belarusian/
Belgium Belgian/Bolivia Bolivian/Bosnia Bosnian/Brazil Brazilian/
United_Kingdom British Britain England English Scotland Scottish Wales Welsh UK U.K./Bulgaria Bulgarian/
Burma Myanmar Burmese/Cambodia Cambodian/Cameroon Cameroonian/Canada Canadian/Chile Chilean/China Chinese/
Colombia Colombian/Costa_Rica Costa_Rican/Croatia Croatian/Cuba Cuban/Cyprus Cypriot/
Czech_Republic Czech Czechia Czechoslovakia Czechoslovak/Denmark Danish/Ecuador Ecuadorian/Egypt Egyptian/
Estonia Estonian/Ethiopia Ethiopian/Finland Finnish/France French/Georgian/Germany German/Ghana Ghanaian/Greece Greek/
Guatemala Guatemalan/Hong_Kong/Hungary Hungarian/Iceland Icelandic/India Indian/Indonesia Indonesian/
Iran Iranian Persian/Iraq Iraqi/Ireland Irish/Israel Israeli/Italy Italian/Ivory_Coast Ivorian/Jamaica Jamaican/
Japan Japanese/Jordan Jordanian/Kazakhstan Kazakh/Kenya Kenyan/Kuwait Kuwaiti/Latvia Latvian/Lebanon Lebanese/
Libya Libyan/Lithuania Lithuanian/Luxembourg/Malaysia Malaysian/Mali Malian/Malta Maltese/Mexico Mexican/
Moldova Moldovan/Mongolia Mongolian/Montenegro Montenegrin/Morocco Moroccan/Nepal Nepalese Nepali/Netherlands Dutch/
New_Zealand/Nigeria Nigerian/North_Korea North_Korean/Macedonia Macedonian/Norway Norwegian/Pakistan Pakistani/
Palestine Palestinian/Panama Panamanian/Papua_New_Guinea/Paraguay Paraguayan/Peru Peruvian/
Philippines Filipino Philippine/Poland Polish/Portugal Portuguese/Puerto_Rico Puerto_Rican/Qatar Qatari/
Romania Romanian/Russia Russian Soviet/Rwanda Rwandan/Saudi_Arabia Saudi/Senegal Senegalese/Serbia Serbian/
Singapore Singaporean/Slovakia Slovak/Slovenia Slovenian Slovene/Somalia Somali/South_Africa South_African/
South_Korea South_Korean Korean/Spain Spanish/Sri_Lanka Sri_Lankan/Sudan Sudanese/Sweden Swedish/Switzerland Swiss/
Syria Syrian/Taiwan Taiwanese/Tanzania Tanzanian/Thailand Thai/Tunisia Tunisian/Turkey Turkish/Uganda Ugandan/
Ukraine Ukrainian/United_States American USA U.S. US/Uruguay Uruguayan/Uzbekistan Uzbek/Venezuela Venezuelan/
Vietnam Vietnamese/Yemen Yemeni/Yugoslavia Yugoslav/Zimbabwe Zimbabwean
"""
_COUNTRY = {
    name.replace("_", " "): group.split()[0].replace("_", " ")
    for group in "".join(_COUNTRIES.split("\n")).split("/")
    for name in group.split()
}
_NAMES = "|".join(re.escape(name) for name in sorted(_COUNTRY, key=len, reverse=True))
_ORIGIN = re.compile(rf"(?<![\w-])(?:{_NAMES})(?!\w)")


def origins(text: str) -> list[tuple[str, str]]:
    """Return the countries and nationalities in a text, in order: as written, and the country's name."""
    return [(found[0], _COUNTRY[found[0]]) for found in _ORIGIN.finditer(text)]
