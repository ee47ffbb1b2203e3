"""Word lists of the claim check, folded, in English, German, French, Spanish and some words of other languages."""

from desktop_rag.index.keywords.analysis import stem


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
    "raise raised raises rose rise rises risen rising increase increased increases increasing grew grow grows grown "
    "growing growth climbed jumped surged gestiegen stieg stiegen steigt steigen erhoht erhohte erhohten wuchs wuchsen "
    "wachst gewachsen zugenommen zunahme anstieg augmente augmentation hausse progresse progression aumento aumentado "
    "subio subieron crecio crecieron aumentaron"
)
FALLS = word_set(
    "fell fall falls fallen falling decrease decreased decreases decreasing decline declined declines declining "
    "dropped drop drops shrank shrunk cut lowered reduced reduction gesunken sank sanken sinkt sinken gefallen fiel "
    "fielen verringert verringerte abgenommen abnahme ruckgang zuruckgegangen recule recul baisse diminue diminution "
    "chute disminuyo disminucion bajo bajaron cayo cayeron"
)
OPPOSITES = tuple(
    (word_set(left), word_set(right))
    for left, right in (
        (
            (
                "raise raised raises rose rise rises risen rising increase increased increases "
                "increasing grew grow grows grown "
                "growing growth gained climbed jumped surged higher up more greater larger upward improved "
                "gestiegen stieg steigt erhoht wachst mehr hoher wuchs zunahme augmente augmentation hausse plus "
                "superieur aumento aumentado aumentaron mayor subio subieron crecio crecieron mas"
            ),
            (
                "fell fall falls fallen falling decrease decreased decreases decreasing decline declined declines "
                "declining dropped drop drops shrank shrunk lost lower down less fewer smaller downward reduced "
                "reduction worsened gesunken sank sinkt gefallen fiel verringert weniger niedriger abnahme "
                "diminue diminution baisse moins inferieur disminuyo disminuyeron disminucion bajo bajaron "
                "cayo cayeron menor menos"
            ),
        ),
        (
            "before prior earlier previously vor vorher avant antes",
            "after later afterwards following nach nachher danach apres despues",
        ),
        (
            "first erste erster ersten premier premiere primero primera",
            "last final letzte letzter letzten dernier derniere ultimo ultima",
        ),
        (
            "won win wins winning winner gewann gewonnen gagne gano",
            "lost lose loses losing loser verlor verloren perdu perdio",
        ),
        ("above over oben uber", "below under unten unter"),
        (
            "maximum most highest largest biggest longest top hochste grosste",
            "minimum least lowest smallest shortest niedrigste kleinste",
        ),
        (
            "begin begins began begun start starts started opened resume resumes resumed restarted continued "
            "beginnt begann beginnen begonnen commence commencent debute debuta empieza empezo comienza comenzo",
            "end ends ended finish finished closed stop stops stopped halted paused suspended ceased "
            "endet endete enden termine terminent finit termina termino acaba finaliza finalizo",
        ),
        ("include includes included including inclusive", "exclude excludes excluded excluding exclusive"),
        (
            "accept accepted accepts approve approved approves angenommen genehmigt genehmigte zugestimmt "
            "approuve approuvee adopte adoptee accepte acceptee acceptes acceptees aprobo aprobaron aprobado aprobada "
            "acepto aceptaron aceptado aceptada",
            "reject rejected rejects deny denied declined refused abgelehnt verworfen "
            "rejete rejetee rejetes rejetees refuse refusee refusees rechazo rechazaron rechazado rechazada",
        ),
        (
            "allow allowed allows permit permitted permits may erlaubt gestattet zulassig",
            "prohibit prohibited prohibits forbid forbidden banned verboten untersagt unzulassig",
        ),
        ("verlangert verlangerte verlangern extended lengthened", "verkurzt verkurzte verkurzen shortened"),
        ("profit profits gain gains earn earns earned", "loss losses lose loses lost"),
        (
            "buy buys bought purchase purchased acquire acquired acquisition kauf kaufte gekauft erwarb achete",
            "sell sells sold divested sale disposal verkauf verkaufte verkauft vendu",
        ),
        ("issue issued issues", "repurchase repurchased repurchases redeemed"),
        ("north northern nord norden", "south southern sud suden"),
        ("east eastern osten", "west western westen"),
        ("left links", "right rechts"),
        ("older oldest", "younger youngest"),
        (
            "better best outperforms outperform outperformed",
            "worse worst underperforms underperform underperformed",
        ),
        ("support supports supported", "oppose opposes opposed"),
        ("enable enabled enables activated on", "disable disabled disables deactivated off"),
        ("add added adds introduced", "remove removed removes dropped"),
        (
            "open opens opened offen geoffnet offnet offnen ouvert ouverte ouverts ouvertes ouvre "
            "abierto abierta abre abrio",
            "closed shut closes geschlossen schliesst schliessen ferme fermee fermes fermees "
            "cerrado cerrada cierra cerro",
        ),
        ("fast faster fastest", "slow slower slowest"),
        ("strong stronger strongest", "weak weaker weakest"),
        ("cheap cheaper cheapest billiger", "expensive dear dearer dearest costlier teurer"),
        ("warm warmer hot hotter hottest", "cold colder coldest cool cooler"),
        ("heavy heavier heaviest", "light lighter lightest"),
        ("tall taller tallest long longer", "short shorter"),
        ("wide wider widest broad broader", "narrow narrower narrowest"),
        ("still currently weiterhin noch", "formerly former previously ehemals ehemalige ehemaliger fruher"),
        ("since seit depuis desde", "until till bis jusque hasta"),
        ("admit admits admitted confirm confirms confirmed", "deny denies denied"),
        ("full voll", "empty leer"),
        ("early fruh fruhzeitig", "late spat verspatet"),
        ("indoors inside drinnen", "outdoors outside draussen"),
        ("positive", "negative"),
        ("landlord lessor vermieter vermieterin", "tenant lessee mieter mieterin"),
        ("male man men", "female woman women"),
    )
)
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
