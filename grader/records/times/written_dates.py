"""Dates as Moodle writes them, in words of the site's language: `Wednesday, 10 June 2026, 2:14 PM`.

The order differs between languages, so the parts are told apart by what they are: the month is a word, the
day stands beside it, the year has four digits, and the time of day comes last.  The other words must be
known, and the day of the week right: in a language that is not known, a word can mean another month
(`listopada` is November in Polish and October in Croatian) or a half of the day.
Source: `strftimedaydatetime` in the language packs of Moodle.
"""

import re
import unicodedata
from datetime import datetime

_MONTHS = """
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
jänner februar märz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
januari februari maart april mei juni juli augustus september oktober november december
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november december
januar februar mars april mai juni juli august september oktober november desember
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
ledna února března dubna května června července srpna září října listopadu prosince
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
"""  # noqa: E501
_DAYS = """
monday tuesday wednesday thursday friday saturday sunday
montag dienstag mittwoch donnerstag freitag samstag sonntag
montag dienstag mittwoch donnerstag freitag sonnabend sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
måndag tisdag onsdag torsdag fredag lördag söndag
mandag tirsdag onsdag torsdag fredag lørdag søndag
måndag tysdag onsdag torsdag fredag laurdag sundag
segunda terça quarta quinta sexta sábado domingo
poniedziałek wtorek środa czwartek piątek sobota niedziela
maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina
pondělí úterý středa čtvrtek pátek sobota neděle
dilluns dimarts dimecres dijous divendres dissabte diumenge
"""
_OF_DAY = {word: number for row in _DAYS.split("\n") for number, word in enumerate(row.split())}
_SMALL_WORDS = frozenset(
    ("a", "at", "d", "de", "del", "den", "feira", "h", "kl", "klo", "las", "uhr", "à", "às")
)
"""Words that say nothing of the date, with the sign of hours."""
_OF_MONTH = {word: number + 1 for row in _MONTHS.split("\n") for number, word in enumerate(row.split())}
_WORD = re.compile(r"[^\W\d_]+")
_BEFORE = r"\b(?P<day>[0-9]{1,2})(?:\.|º)?\s+(?:de\s+|d['\N{RIGHT SINGLE QUOTATION MARK}])?"
_AFTER = r",?\s+(?P<day>[0-9]{1,2}),"
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_TIME = re.compile(
    r"\b(?P<hour>[0-9]{1,2})[:.h](?P<minute>[0-9]{2})(?:[:.](?P<second>[0-9]{2}))?\s*(?P<half>[ap]\.?\s?m\b)?"
)


def written_date(text: str) -> datetime | None:
    """Return the moment of a date in words, without its zone; None if it is none that is known."""
    bare = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    months = {word for word in _WORD.findall(bare) if word in _OF_MONTH}
    years, times = _YEAR.findall(bare), list(_TIME.finditer(bare))
    if len(months) != 1 or len(years) != 1 or len(times) != 1:
        return None
    (month,), (time,) = months, times
    day = re.search(_BEFORE + month, bare) or re.search(month + _AFTER, bare)
    if day is None:
        return None
    hour, minute, second = (int(time[name] or 0) for name in ("hour", "minute", "second"))
    try:
        found = datetime(
            int(years[0]), _OF_MONTH[month], int(day["day"]), _hour(hour, time["half"]), minute, second
        )
    except ValueError:
        return None
    others = {*_WORD.findall(bare[: time.start()]), *_WORD.findall(bare[time.end() :])} - {month}
    return found if all(_fits(word, found) for word in others) else None


def _fits(word: str, found: datetime) -> bool:
    """Tell whether a word beside a date is known, and right if it is the day of the week."""
    return word in _SMALL_WORDS or _OF_DAY.get(word) == found.weekday()


def _hour(hour: int, half: str | None) -> int:
    """Return the hour of the day; some languages write 24 hours and a half of the day beside them."""
    if half is None or hour > 12:
        return hour
    return hour % 12 + (12 if half.startswith("p") else 0)
