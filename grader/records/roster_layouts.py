"""The layouts of rosters, and the headings of their columns in the languages of the LMS.

Sources, as of 2026: Moodle's worksheet is that of `mod/assign/gradingtable.php` and its list of participants
the table download of `user/index.php`; Canvas's gradebook is what `lib/gradebook_importer.rb` reads; the
others are as the help pages of Gradescope, GitHub Classroom, Blackboard and D2L show them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.person import OF_LMS


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout: its headings, in lower case, by the fields that they hold.

    fields: `name`, `first`, `last`, `sorted` (last name, comma, first name), `mail`, `group`, `id`, `role`,
    `participant` (a text with the number behind it), `identifier` (a mail or an id), or a kind of id.
    needs: the fields without which it is another layout.
    joins_groups: a cell has all groups of a person, with commas between; a group's name may have one too.
    """

    name: str
    needs: tuple[str, ...]
    fields: Mapping[str, frozenset[str]]
    joins_groups: bool = False


def _words(**fields: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split("|")) for name, words in fields.items()}


_IN_ENGLISH = {"first": "first name", "last": "last name"}
_FIRST = "first name|vorname|prénom|nombre|nome|voornaam|förnamn|fornavn|imię|etunimi|firstname"
_LAST = (
    "last name|surname|nachname|nom|nom de famille|apellido(s)|apellidos|apellido|cognome|achternaam|"
    "efternamn|etternavn|nazwisko|sukunimi|sobrenome|lastname"
)
_MAIL = (
    "email address|email|e-mail-adresse|e-mail|adresse de courriel|dirección de correo|correo electrónico|"
    "indirizzo email|e-mailadres|e-postadress|e-postadresse|adres e-mail|endereço de email|mail"
)
_NUMBER = (
    "id number|id-nummer|matrikelnummer|numéro d'identification|número de id|"
    "numero di matricola|codice identificativo|id-nummer|idnummer|numer id|número de identificação"
)
_PARTICIPANTS = (
    "identifier|id|teilnehmer/in|identifiant|identificador|identificatore|identificatie|identifikator|"
    "identyfikator|tunniste"
)
_GROUP = "group|gruppe|groupe|grupo|gruppo|groep|grupp|grupa"
_NO_GROUP = frozenset(
    {"-", "\N{EN DASH}", "\N{EM DASH}", ".", "/", "0", "none", "n/a", "na", "nil", "nobody"}
)
_NO_WORDS = re.compile(
    r"(no|not in a|without a?|keine?n?|ohne|pas de|aucun|sans|sin|ning[uú]n|no hay|nessun|senza|sem|"
    r"nenhum|geen|zonder|ing[ae]n?|utan|uten|brak|bez|ei) ?"
    r"(groups?|teams?|gruppen?|groupes?|[eé]quipes?|grupos?|equipos?|gruppo|gruppi|groep(en)?|grupp(er)?|"
    r"grup[ay]?|ryhm[aäi]+)?"
)
LAYOUTS = (
    Layout(
        "Moodle's worksheet",
        ("participant", "name"),
        _words(
            participant=_PARTICIPANTS,
            name="full name|vollständiger name|nom complet|nombre completo|nome completo|nome|volledige naam|"
            "fullständigt namn|fullt navn|pełna nazwa|imię i nazwisko",
            mail=_MAIL,
            sis=_NUMBER,
            group=_GROUP,
        ),
    ),
    Layout(
        "Moodle's worksheet without names",
        ("participant", "status"),
        _words(participant=_PARTICIPANTS, status="status|statut|estado|stato|état|tila", group=_GROUP),
    ),
    Layout(
        "Canvas's gradebook",
        ("sorted", "canvas", "section"),
        _words(sorted="student", canvas="id", sis="sis user id", login="sis login id", section="section"),
    ),
    Layout(
        "Gradescope's roster",
        ("sis", "mail", "given"),
        _words(
            **_IN_ENGLISH,
            sis="sid|student id",
            mail="email",
            given="first name|name|full name|last name",
            name="name|full name",
            role="role",
        ),
    ),
    Layout(
        "GitHub Classroom's roster",
        ("identifier", "github"),
        _words(identifier="identifier|roster_identifier", github="github_username", name="name|student_name"),
    ),
    Layout(
        "Brightspace's class list",
        ("sis",),
        _words(**_IN_ENGLISH, sis="orgdefinedid|org defined id", login="username", mail="email"),
    ),
    Layout(
        "Blackboard's grade centre",
        ("last", "first", "login"),
        _words(
            **_IN_ENGLISH,
            **dict.fromkeys(("login", "blackboard"), "username|user name"),
            sis="student id",
            mail="email|email address",
        ),
    ),
    Layout(
        "Moodle's participants",
        ("first", "last"),
        _words(
            first=_FIRST,
            last=_LAST,
            mail=_MAIL,
            sis=_NUMBER,
            login="username|anmeldename|nom d'utilisateur|nombre de usuario",
            group="groups|gruppen|groupes|grupos|gruppi|groepen|grupper|grupy",
        ),
        joins_groups=True,
    ),
    Layout(
        "a list with columns of your own (student, name, mail, group, extension or ids)",
        ("id",),
        _words(
            id="student|id",
            name="name",
            mail="mail|email|e-mail",
            **{kind: kind for kind in OF_LMS},
            sis="sis|sid",
            login="login|username",
            github="github",
        ),
    ),
)
UNKNOWN_LANGUAGE = Layout("Moodle's worksheet in a language that is not known", ("participant",), {})


def is_no_group(text: str) -> bool:
    """Tell whether a cell says that a person is in no group, as Moodle's `No groups` does in its languages.

    Who says so shares no work with others who say it.
    """
    words = " ".join(text.casefold().split())
    return words in _NO_GROUP or _NO_WORDS.fullmatch(words) is not None
