"""Abbreviations that end with a full stop, and words that often begin sentences, per language."""

from desktop_rag.text.language_profiles import CYRILLIC, GREEK, LATIN


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER = _words(  # never the end of a sentence: a name or number follows
    # English, and titles in all languages
    "mr mrs ms mx dr prof st ste mme mlle mm rev hon gen col lt sgt capt cmdr maj sen rep gov pres msgr mgr vs v viz "
    "fig figs eq eqs sec secs ch chap app ref refs approx resp cf e.g eg i.e ie ed eds vol vols no nos p pp art dept "
    "est incl excl misc op cit loc n.b nb "
    # German, Dutch
    "hr fr frl dipl dipl.-ing h.c vgl bzgl bzw ca gem ggf inkl insb max min sog z.b z.t d.h i.d.r i.s.d u.u o.g s.o "
    "s.u evtl zzgl abs nr s hrsg hg übers tel abb kap bd bde str arts lit tab ing arch bijv bv blz d.w.z o.a t.a.v "
    "m.b.t dhr mevr mw drs "
    # French, Spanish, Catalan, Portuguese, Italian, Romanian
    "p.ex ex c.-à-d càd env av apr.j.-c tit sr sra srta núm num pág págs pag pàg pagg d.lgs aprox máx mín ud uds vd "
    "vds "
    "dña d avda c.p ph dott dott.ssa sig sig.ra avv sez lib cod ss es dl dna d-na d-l alin bd ș.a "
    # Scandinavian, Finnish, Baltic
    "t.ex bl.a dvs s.k kl f.d f.eks pga mht ifm esim ks mm klo nro huom vrt ns pvz t.y gerb psl piem t.i nt lk "
    # Polish, Czech, Slovak, Slovene, Croatian, Hungarian, Turkish, Indonesian, Vietnamese
    "np tzn tzw m.in inż ul godz tj zob św ks tys tzv např napr čl odst bc mudr judr popř mj cca č npr br "
    "št gosp gđa pl rp ún ifj vö örn bkz sn doç av sok mah hlm tgl jl bpk sdr yth tp ths ts pgs gs "
    # Russian, Ukrainian, Bulgarian; Greek; Hindi
    "т.е т.к т.н г ул д стр рис см англ им напр див вул буд кв рр ст п вж бр тов гр π.χ κ κα κος δηλ αρ σελ βλ डॉ श्री "
    "प्रो सं"
)
PERHAPS = _words(  # may end a sentence: decided by the next word
    "etc usw usf ecc al inc ltd co corp bros plc llc gmbh a.m p.m am pm u.s u.k u.n e.u ph.d m.d b.a m.a d.c u.s.a "
    "jr esq mio mrd tsd jan feb mar apr jun jul aug sep sept oct okt nov dec dez u.ä o.ä u.dgl v.chr n.chr a.d b.c "
    "т.д т.п др enz osv m.fl ym yms jne itd itp atd atď apod stb kb vb vd dll dsb dst v.v κ.λπ κλπ u.c utt kt ipd "
    "и.д и.п пр mln mld s.r.o a.s s.a s.l s.p.a b.v n.v"
)
STARTERS = _words(
    "the a an this that these those it he she they we you i in on at for but and however as if when while after before "
    "there here his her their our its my one some many most all no not what who why how where with by from to since "
    "although though thus therefore moreover furthermore meanwhile finally first second also both each such so then "
    "lo gli uno lui lei noi voi las él ella elles nous vous je ces dans uns os as um uma"
).union(*(profile.words for profiles in (LATIN, CYRILLIC, GREEK) for profile in profiles.values()))
STARTERS -= _words("van von di da dos du des del della dal do e y al an ali bo can will may ken")  # parts of names
MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert jh januari "
    "ledna února března dubna května června července srpna září října listopadu prosince tammikuuta maj"
)
