"""Word lists of the claim check, folded, in English, German, French, Spanish and some words of other languages."""

from desktop_rag.index.keywords.analysis import stem
from desktop_rag.paths import resources


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


NEGATIONS = word_set(
    "not no never none neither nor without cannot nobody nothing nowhere hardly nicht kein keine keinen keinem "
    "keiner keines nie niemals niemand niemanden niemandem nichts nadie ohne weder ni pas jamais sans aucun "
    "aucune nunca jamas sin ningun ninguna tampoco "
    "non mai senza nessun nessuna nao sem geen niet nooit zonder"
)
IMPLIED_NEGATIONS = word_set(  # what follows is negated or limited without a negation
    "most maximum up within limit limits limited cap capped hochstens maximal maximum "
    "fail fails failed lack lacks lacked lacking refuse refused refuses deny denied denies prohibit prohibited "
    "prohibits forbid forbidden forbids ban banned exclude excluded excludes prevent prevented avoid avoided "
    "unless except only until unable impossible neither rather instead hardly rarely seldom barely less fewer "
    "lehnte lehnten lehnt abgelehnt ablehnen ablehnt ablehnte frei freie freien freier freies kostenlos "
    "gratis gratuit gratuite gratuito gratuita "
    "least verboten untersagt ausgeschlossen nur ausser bis interdit exclu sauf prohibido salvo solo seulement ne "
    "uniquement excepto stopped ceased discontinued"
)
# Extents of several words; like “always”, they are not added in a claim.
EXTENT_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        *("at any time", "at all times", "in all cases", "in every case", "in any case"),
        *("zu jeder zeit", "in jedem fall", "in allen fallen", "a tout moment"),
    )
)
EXTENTS = tuple(
    word_set(group)
    for group in (
        "always ever constantly invariably immer stets jederzeit toujours siempre sempre",
        "never nie niemals jamais nunca mai",
        ("only solely exclusively merely just sole alone nur ausschliesslich allein seulement uniquement solamente"),
        (
            "all every each everyone everybody everything alle jeder jede jedes "
            "samtliche tous toutes chaque todos todas cada tutti"
        ),
        "none no nobody nothing neither kein keine keiner aucun ninguno nessuno",
        "completely totally fully wholly entirely entire whole vollstandig vollig komplett ganzlich completement "
        "entierement totalmente completamente enteramente",
        "must mandatory required obliged obligatory shall mussen muss verpflichtet doit doivent debe deben",
        "guaranteed guarantees certainly definitely proves proven undoubtedly garantiert beweist",
    )
)
LIMITS = word_set(
    "primarily mainly chiefly predominantly almost nearly hauptsachlich vorwiegend uberwiegend principalement "
    "surtout principalmente fast presque casi "
    "some many most several may might could can often usually sometimes generally typically mostly partly largely "
    "partially partial about few certain majority occasionally frequently normally rarely seldom should optional "
    "possibly probably likely suggests suggest indicates indicate einige manche viele meist meistens oft manchmal "
    "kann konnen darf durfen sollte teilweise gewohnlich quelques certains souvent parfois peut peuvent plupart "
    "algunos muchos suele puede pueden veces"
)
RISES = word_set(  # of what is measured: verbs and their nouns
    "raise raised raises raising rose rise rises risen rising increase increased increases increasing grew grow "
    "grows grown growing growth "
    "climbed jumped surged gestiegen stieg stiegen steigt steigen erhoht erhohte erhohten wuchs wuchsen "
    "wachst gewachsen zugenommen zunahme anstieg augmente augmentation hausse progresse progression aumento aumentado "
    "subio subieron crecio crecieron aumentaron"
)
FALLS = word_set(
    "fell fall falls fallen falling decrease decreased decreases decreasing decline declined declines declining "
    "dropped drop drops shrank shrunk cut lowered lowering reduced reducing reduction "
    "gesunken sank sanken sinkt sinken gefallen fiel "
    "fielen verringert verringerte abgenommen abnahme ruckgang zuruckgegangen recule recul baisse diminue diminution "
    "chute disminuyo disminucion bajo bajaron cayo cayeron"
)


def _opposites() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Read the pairs of words that exclude each other."""
    text = (resources() / "opposites.txt").read_text(encoding="utf-8")
    sides = (pair.split("|") for pair in text.split("\n\n") if not pair.startswith("#"))
    return tuple((word_set(left), word_set(right)) for left, right in sides)


OPPOSITES = _opposites()
VERBS_AT_END = word_set(  # of German sentences: what they say may stand far before them
    "angenommen genehmigt zugestimmt abgelehnt verworfen gestiegen gesunken gefallen gewonnen verloren erlaubt "
    "gestattet verboten untersagt verlangert verkurzt gekauft verkauft geoffnet geschlossen begonnen"
)
SYMMETRIC = frozenset(
    stem(word)
    for word in word_set(
        "and or with met married marry equal same between meets partner partnered border borders fought faced "
        "versus played play collaborated share shared shares und oder mit et ou avec y e con as than"
    )
)
TELLS = word_set(
    "told tells wrote writes emailed mailed informed informs phoned called asked asks sent reminded notified warned "
    "schrieb schreibt sagte sagt informierte fragte bat mailte rief"
)
EXCEPTIONS = word_set("without unless except until ohne ausser sans sauf sin salvo")
CONDITIONS = word_set(
    "with if when upon after provided subject require requires required requiring need needs needed mit wenn falls "
    "sofern nach benotigt erfordert braucht avec si exige necessite con cuando requiere necesita"
)
ORDERS = word_set("before after than vor nach als avant apres que antes despues")  # of the names on both sides
SWITCHES = word_set("on off")  # directions only where nothing follows
JOINING = word_set("and und et y e og en")
AGENT_MARKS = word_set("by von durch par por da")
WEAK_MODALS = word_set("may might could can should kann konnte darf durfte sollte peut pourrait puede podria")
STRONG_MODALS = word_set("will must shall wird werden muss mussen soll doit debe")
FUNCTION_WORDS = word_set(
    "he him she hers they them you we our my me it itself himself herself themselves so do up go ok "
    "be become been is was are were est el la le il elle ils lo gli on ce cet cette un unos unas "
    "nos vous nous sie er es wir ich du man "
    "the has had have been being were was are its his her their our your who whom which what when where also from "
    "into than then there these those this that will would shall should can could may might must does did done "
    "muss mussen musste mussten soll sollen darf durfen "
    "due per very der die das den dem des ein eine einen einem einer und ist sind war waren wird werden hat haben "
    "sich auf aus bei mit les une est sont par pour dans que qui los las una del por para con ser sido esta este"
)
TITLES_AND_FORMS = word_set(  # words beside a name that are no names
    "cagr yoy qoq "
    "inc corp co company corporation ltd limited llc plc gmbh ag kg sa nv bv oy ab se spa srl group mr mrs ms "
    "lt col lieutenant colonel sgt sergeant rev reverend "
    "miss mx dr prof professor sir dame lord lady president herr frau fraulein monsieur madame mme mlle senor "
    "senora sr sra don dona signor signora"
)
FORMS_OF_ADDRESS = word_set("herr herrn frau dr prof")
PLACE_PREPOSITIONS = word_set("in on at from to near")
NO_PLACES = word_set(  # “auf der Basis”: nouns after a German “auf” that name no place
    "basis grundlage weg suche seite website webseite internetseite liste tagesordnung stelle hohe stand laufenden "
    "markt konto rechnung ebene"
)
BEFORE_MONTHS = word_set("in of since until till by from to im seit bis en de depuis early late mid")
