"""Brings a word to the form it is compared in: irregular English verbs first, then the stem."""

from functools import lru_cache

from desktop_rag.index.analysis import stem

_IRREGULAR = """
arise arose arisen/awake awoke/bear bore borne born/beat beaten/become became/begin began begun/bend bent/bind bound/
bite bit bitten/bleed bled/blow blew blown/break broke broken/breed bred/bring brought/build built/burn burnt/
buy bought/catch caught/choose chose chosen/come came/deal dealt/dig dug/draw drew drawn/dream dreamt/
drink drank drunk/drive drove driven/eat ate eaten/fall fell fallen/feed fed/feel felt/fight fought/find found/
flee fled/fly flew flown/forbid forbade forbidden/forget forgot forgotten/freeze froze frozen/go went gone goes/
grow grew grown/hang hung/hear heard/hide hid hidden/hold held/keep kept/know knew known/lay laid/lead led/leave left/
lend lent/lie lay lain/light lit/lose lost/make made/mean meant/meet met/pay paid/ride rode ridden/ring rang rung/
rise rose risen/run ran/say said/see saw seen/seek sought/sell sold/send sent/shake shook shaken/shine shone/
shoot shot/show shown/shrink shrank/sing sang sung/sink sank sunk/sit sat/sleep slept/slide slid/speak spoke spoken/
spend spent/spin spun/stand stood/steal stole stolen/stick stuck/strike struck/swear swore sworn/sweep swept/
swim swam swum/swing swung/take took taken/teach taught/tear tore torn/tell told/think thought/throw threw thrown/
understand understood/wake woke/wear wore worn/win won/write wrote written/die died death/child children/man men/
woman women/foot feet/person people/mouse mice/goose geese/tooth teeth/long length/high height/wide width/deep depth/
strong strength/one 1/two 2/three 3/four 4/five 5/six 6/seven 7/eight 8/nine 9/ten 10
"""
_BASE = {
    form: group.split()[0]
    for group in "".join(_IRREGULAR.split("\n")).split("/")
    if group
    for form in group.split()[1:]
}


@lru_cache(maxsize=1 << 16)
def base(term: str) -> str:
    """Return the form in which a folded word is compared: wrote and writing are both "write"."""
    return stem(_BASE.get(term, term))
