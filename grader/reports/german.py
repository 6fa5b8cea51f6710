"""German words of the pages for students, by the English ones; see `grader.reports.words`."""

from collections.abc import Mapping

GERMAN: Mapping[str, str] = {
    # Verdicts.
    "accepted": "richtig",
    "partly right": "teilweise richtig",
    "wrong answer": "falsche Antwort",
    "exception": "Ausnahme",
    "run-time error": "Laufzeitfehler",
    "crashed": "abgestürzt",
    "time limit": "Zeitlimit",
    "wall limit": "Wartelimit",
    "memory limit": "Speicherlimit",
    "output limit": "Ausgabelimit",
    "forbidden": "nicht erlaubt",
    "load error": "lädt nicht",
    "missing": "fehlt",
    "rule broken": "Regel verletzt",
    "skipped": "ausgelassen",
    "internal error": "interner Fehler",
    "The call ended with an exception that was not expected.": (
        "Der Aufruf endete mit einer Ausnahme, die nicht erwartet war."
    ),
    "The program ended with an exit code that says it failed.": (
        "Das Programm endete mit einem Exit-Code, der einen Fehler meldet."
    ),
    "The program ended before it gave an answer.": "Das Programm endete, bevor es eine Antwort gab.",
    "The call used up the processor time it may have.": "Der Aufruf hat seine Rechenzeit aufgebraucht.",
    "The call slept or waited for too long.": "Der Aufruf hat zu lange geschlafen oder gewartet.",
    "The call wanted more memory than it may have.": "Der Aufruf wollte mehr Speicher, als er haben darf.",
    "The call printed or returned more than it may.": (
        "Der Aufruf hat mehr ausgegeben oder zurückgegeben, als er darf."
    ),
    "The call tried something that submissions may not do.": (
        "Der Aufruf hat etwas versucht, was Abgaben nicht dürfen."
    ),
    "The module is not there, or could not be imported.": (
        "Das Modul ist nicht da oder konnte nicht importiert werden."
    ),
    "The module has nothing of that name that can be called.": (
        "Das Modul hat nichts mit diesem Namen, was man aufrufen kann."
    ),
    "The source breaks a rule of the task.": "Der Quelltext verletzt eine Regel der Aufgabe.",
    "The grader failed here, not the program. The mark is pending.": (
        "Hier ist das Bewertungsprogramm gescheitert, nicht die Abgabe. Die Punkte stehen noch aus."
    ),
    # The top of the page, and where to begin.
    "Skip to the result": "Zum Ergebnis springen",
    "Your submission": "Deine Abgabe",
    "of {mark}": "von {mark}",
    "of {mark} bonus": "von {mark} Bonus",
    "{mark} bonus": "{mark} Bonus",
    "bonus": "Bonus",
    "pending": "ausstehend",
    "so far": "bisher",
    "Some tests of this task are being looked at again, so this mark may change.": (
        "Einige Tests dieser Aufgabe werden noch einmal geprüft, die Punkte können sich also ändern."
    ),
    "The grader itself failed on some cases. By the others it is {n}, which can change.": (
        "Das Bewertungsprogramm selbst ist an einigen Fällen gescheitert. Nach den anderen sind es {n}, was"
        " sich ändern kann."
    ),
    "A checker could not judge some answers. By the others it is {n}, which can change.": (
        "Eine Prüffunktion konnte einige Antworten nicht beurteilen. Nach den anderen sind es {n}, was sich"
        " ändern kann."
    ),
    "not judged": "nicht beurteilt",
    "The checker of the task could not judge this answer. Marking will decide about it.": (
        "Die Prüffunktion der Aufgabe konnte diese Antwort nicht beurteilen. Das entscheidet die Bewertung."
    ),
    "the checker could not judge this answer; marking will decide about it ({what})": (
        "die Prüffunktion konnte diese Antwort nicht beurteilen; das entscheidet die Bewertung ({what})"
    ),
    "Nothing was handed in.": "Es wurde nichts abgegeben.",
    "Awaiting the marker: {n} criterion.": "Noch von Hand zu bewerten: {n} Kriterium.",
    "Awaiting the marker: {n} criteria.": "Noch von Hand zu bewerten: {n} Kriterien.",
    "awaiting the marker": "noch zu bewerten",
    "Problems with what was handed in": "Probleme mit der Abgabe",
    "the module could not be loaded: {reason}": "das Modul lässt sich nicht laden: {reason}",
    "no code was read: {reason}": "es wurde kein Code gelesen: {reason}",
    "there is no {file} in the submission": "in der Abgabe gibt es kein {file}",
    "no Python file was found; expected {names}": "keine Python-Datei gefunden; erwartet: {names}",
    "no program was found; expected {names}, or in its place {others}": (
        "kein Programm gefunden; erwartet: {names}, oder an seiner Stelle {others}"
    ),
    "what was found can't be taken for it: {names}": "das Gefundene lässt sich nicht dafür nehmen: {names}",
    "{names} is missing; found {found} — did you mean {meant}?": (
        "{names} fehlt; gefunden: {found} — war {meant} gemeint?"
    ),
    "{names} are missing; found {found} — did you mean {meant}?": (
        "{names} fehlen; gefunden: {found} — war {meant} gemeint?"
    ),
    "{names} is missing": "{names} fehlt",
    "{names} are missing": "{names} fehlen",
    "found {found}; expected {names} — did you mean {meant}?": (
        "gefunden: {found}; erwartet: {names} — war {meant} gemeint?"
    ),
    "found {found}; expected {names}": "gefunden: {found}; erwartet: {names}",
    "{folder} holds {name}, which is a damaged zip; perhaps its upload was cut off": (
        "{folder} enthält {name}, ein beschädigtes Zip; vielleicht brach das Hochladen ab"
    ),
    "{name} is a damaged zip; perhaps its upload was cut off": (
        "{name} ist ein beschädigtes Zip; vielleicht brach das Hochladen ab"
    ),
    "{name} is not a zip": "{name} ist kein Zip",
    "{name} is empty": "{name} ist leer",
    "{name} is a zip inside a zip, which is not opened": (
        "{name} ist ein Zip in einem Zip und wird nicht geöffnet"
    ),
    "{name} is an archive of a kind that is not read; a zip, a folder or a .py file is": (
        "{name} ist ein Archiv einer Art, die nicht gelesen wird; gelesen werden Zips, Ordner und .py-Dateien"
    ),
    "{name} is no notebook: it is not valid JSON": "{name} ist kein Notebook: es ist kein gültiges JSON",
    "{name} is no notebook: it has no cells": "{name} ist kein Notebook: es hat keine Zellen",
    "{name} is a link, and links are not followed": "{name} ist ein Link, und Links wird nicht gefolgt",
    "{name} is larger than {n} MiB, the most that is read": (
        "{name} ist größer als {n} MiB; mehr wird nicht gelesen"
    ),
    "{name} was taken as {file}: the code of its cells": (
        "{name} wurde als {file} genommen: der Code der Zellen"
    ),
    "{name} was taken as {file}: upper and lower case differ": (
        "{name} wurde als {file} genommen: Groß- und Kleinschreibung sind anders"
    ),
    "{name} was taken as {file}": "{name} wurde als {file} genommen",
    "Python files in {names} were not read: which folder counts is not sure": (
        "Python-Dateien in {names} wurden nicht gelesen; es ist nicht sicher, welcher Ordner zählt"
    ),
    "Python files in {names} were not read; only those outside of folders are": (
        "Python-Dateien in {names} wurden nicht gelesen; nur die außerhalb von Ordnern werden es"
    ),
    "Python files in {names} were not read; only those in {folder} are": (
        "Python-Dateien in {names} wurden nicht gelesen; nur die in {folder} werden es"
    ),
    "Notes": "Hinweise",
    "Start here:": "Fang hier an:",
    "{n} of {questions} loses marks.": "{n} von {questions} verliert Punkte.",
    "{n} of {questions} lose marks.": "{n} von {questions} verlieren Punkte.",
    "{n} question": "{n} Aufgabe",
    "{n} questions": "{n} Aufgaben",
    "only hidden cases fail": "nur verdeckte Fälle schlagen fehl",
    "question {id}": "Aufgabe {id}",
    "question": "Aufgabe",
    "No question loses marks.": "Keine Aufgabe verliert Punkte.",
    "what was taken off, and why": "was abgezogen wurde, und warum",
    "Every question has its full mark.": "Jede Aufgabe hat ihre vollen Punkte.",
    "A module does not load": "Ein Modul lädt nicht",
    "{file} does not load": "{file} lädt nicht",
    "line {n}": "Zeile {n}",
    "The line": "Zeile",
    "{n} case of {questions} could not run. Mend this first.": (
        "{n} Fall aus {questions} konnte nicht laufen. Behebe das zuerst."
    ),
    "{n} cases of {questions} could not run. Mend this first.": (
        "{n} Fälle aus {questions} konnten nicht laufen. Behebe das zuerst."
    ),
    # The arithmetic of the mark.
    "How the mark comes about": "Wie die Punkte zustande kommen",
    "Mark": "Punkte",
    "Mark so far": "Punkte bisher",
    "Mark so far; {n} criterion awaits the marker": "Punkte bisher; {n} Kriterium ist noch zu bewerten",
    "Mark so far; {n} criteria await the marker": "Punkte bisher; {n} Kriterien sind noch zu bewerten",
    "Mark set by {person}": "Punkte gesetzt von {person}",
    "Question {id}": "Aufgabe {id}",
    ", bonus": ", Bonus",
    ", set by {person}": ", gesetzt von {person}",
    "{reason} (instead of {mark})": "{reason} (statt {mark})",
    "Penalty": "Abzug",
    "Capped at {most}": "Höchstens {most}",
    "{title}, capped at {most}": "{title}, höchstens {most}",
    "Rounding": "Rundung",
    "from {exact} to {mark}": "von {exact} auf {mark}",
    "the lines are shown with two decimals, and added exactly": (
        "die Zeilen zeigen zwei Nachkommastellen, addiert wird genau"
    ),
    "Sum of the questions": "Summe der Aufgaben",
    "Set by hand": "Von Hand gesetzt",
    "a person set the question's mark": "ein Mensch hat die Punkte der Aufgabe gesetzt",
    # Questions and their cases.
    "All cases must be accepted.": "Alle Fälle müssen richtig sein.",
    "Each accepted case earns its share.": "Jeder richtige Fall bringt seinen Anteil.",
    "A group of cases earns its share when all of it is accepted.": (
        "Eine Gruppe von Fällen bringt ihren Anteil, wenn sie ganz richtig ist."
    ),
    "Each right answer earns what its time is worth, compared with the reference's.": (
        "Jede richtige Antwort bringt, was ihre Zeit im Vergleich zur Musterlösung wert ist."
    ),
    "all of its cases must be accepted": "alle ihre Fälle müssen richtig sein",
    "each accepted case earns its share": "jeder richtige Fall bringt seinen Anteil",
    "earned whole with at least {least} accepted": "ganz erreicht, wenn mindestens {least} richtig sind",
    "each accepted case earns its share, but nothing below {least}": (
        "jeder richtige Fall bringt seinen Anteil, aber nichts unter {least}"
    ),
    "{share} of the weight": "{share} des Gewichts",
    "{n} case": "{n} Fall",
    "{n} cases": "{n} Fälle",
    "{cases}: {words}": "{cases}: {words}",
    "{cases} skipped: {words}": "{cases} ausgelassen: {words}",
    "it needs case {id}, which was not accepted": "braucht den Fall {id}, der nicht richtig war",
    "{accepted} of {n} case accepted": "{accepted} von {n} Fall richtig",
    "{accepted} of {n} cases accepted": "{accepted} von {n} Fällen richtig",
    "{marked} of {n} criterion marked": "{marked} von {n} Kriterium bewertet",
    "{marked} of {n} criteria marked": "{marked} von {n} Kriterien bewertet",
    "marked by hand": "von Hand bewertet",
    "{n} case accepted": "{n} Fall richtig",
    "{n} cases accepted": "{n} Fälle richtig",
    "{n} hidden case accepted": "{n} verdeckter Fall richtig",
    "{n} hidden cases accepted": "{n} verdeckte Fälle richtig",
    "{n} hidden case": "{n} verdeckter Fall",
    "{n} hidden cases": "{n} verdeckte Fälle",
    "{n} more case of this kind": "{n} weiterer Fall dieser Art",
    "{n} more cases of this kind": "{n} weitere Fälle dieser Art",
    "{n} case could not run: a module does not load": "{n} Fall konnte nicht laufen: ein Modul lädt nicht",
    "{n} cases could not run: a module does not load": "{n} Fälle konnten nicht laufen: ein Modul lädt nicht",
    "{n} hidden case could not run either": "auch {n} verdeckter Fall konnte nicht laufen",
    "{n} hidden cases could not run either": "auch {n} verdeckte Fälle konnten nicht laufen",
    "{n} case, {hidden} of them hidden, could not run: a module does not load": (
        "{n} Fall, davon {hidden} verdeckt, konnte nicht laufen: ein Modul lädt nicht"
    ),
    "{n} cases, {hidden} of them hidden, could not run: a module does not load": (
        "{n} Fälle, davon {hidden} verdeckt, konnten nicht laufen: ein Modul lädt nicht"
    ),
    "{names} and {n} more": "{names} und {n} weitere",
    "could not run": "konnte nicht laufen",
    "not run:": "nicht gelaufen:",
    "right:": "richtig:",
    # One case.
    "Call": "Aufruf",
    "Rule": "Regel",
    "What happened": "Was geschah",
    "Where": "Wo",
    "Expected": "Erwartet",
    "Answer": "Antwort",
    "expected": "erwartet",
    "answer": "Antwort",
    "the answer": "die Antwort",
    "Difference": "Unterschied",
    "First difference": "Erster Unterschied",
    "Stopped at": "Angehalten in",
    "To be printed": "Auszugeben",
    "Printed": "Ausgabe",
    "Printed besides": "Sonstige Ausgabe",
    "Error output": "Fehlerausgabe",
    "Input": "Eingabe",
    "File {name}": "Datei {name}",
    "Time": "Zeit",
    "Growth": "Wachstum",
    "Exception": "Ausnahme",
    "Hint": "Tipp",
    "Dialogue": "Dialog",
    "Steps": "Schritte",
    "Group": "Gruppe",
    "Group {n}": "Gruppe {n}",
    "Hidden case": "Verdeckter Fall",
    "Did not run; the reason would give a hidden case away.": (
        "Nicht gelaufen; der Grund würde einen verdeckten Fall verraten."
    ),
    "Picture": "Bild",
    "Answer:": "Antwort:",
    "not as expected": "nicht wie erwartet",
    "(the input ends)": "(die Eingabe endet)",
    "(the program ends)": "(das Programm endet)",
    "(the case ends here)": "(der Fall endet hier)",
    "{n} turn left out": "{n} Wechsel ausgelassen",
    "{n} turns left out": "{n} Wechsel ausgelassen",
    "{n} character left out": "{n} Zeichen ausgelassen",
    "{n} characters left out": "{n} Zeichen ausgelassen",
    "{n} line left out": "{n} Zeile ausgelassen",
    "{n} lines left out": "{n} Zeilen ausgelassen",
    "the rest is on the screen": "der Rest steht auf dem Bildschirm",
    "{n} times": "{n}-mal",
    "again and again": "immer wieder",
    "It asks for input while it is imported: put that part under {main}": (
        "Es fragt schon beim Import nach einer Eingabe: dieser Teil gehört unter {main}"
    ),
    "It ends the program while it is imported: put that part under {main}": (
        "Es beendet schon beim Import das Programm: dieser Teil gehört unter {main}"
    ),
    "{n} more": "{n} weitere",
    "line {line}, column {column}": "Zeile {line}, Spalte {column}",
    "{file}, line {line}": "{file}, Zeile {line}",
    ", in {function}": ", in {function}",
    "{exception} in line {line} of {file}": "{exception} in Zeile {line} von {file}",
    "expected {expected}, got {actual}": "erwartet {expected}, erhalten {actual}",
    "length: expected {expected}, got {actual}": "Länge: erwartet {expected}, erhalten {actual}",
    "{place}: expected {expected}, got {actual}": "{place}: erwartet {expected}, erhalten {actual}",
    " (is a return missing?)": " (fehlt ein return?)",
    "; the right items are there, in another order": "; die Elemente stimmen, ihre Reihenfolge nicht",
    "the answer is {answer}": "die Antwort ist {answer}",
    "{used} of {most}": "{used} von {most}",
    "more than {time}": "mehr als {time}",
    "{time} by the clock": "{time} nach der Uhr",
    "earned {share}": "erreicht {share}",
    "weight {n}": "Gewicht {n}",
    "{time}, {ratio} times the reference's {reference} ({certainty}): worth {worth}; "
    "all up to {full} times, nothing from {none} times on": (
        "{time}, das {ratio}-fache der Musterlösung mit {reference} ({certainty}): wert: {worth}; "
        "alles bis zum {full}-fachen, nichts ab dem {none}-fachen"
    ),
    "too quick to tell, which decides nothing": "zu schnell zum Messen, entscheidet nichts",
    "not told: the import alone takes {time}": "nicht zu erkennen: der Import allein dauert {time}",
    "{growth} (a remark without cost; asked for: {most}).  Time of a call by size: {points}": (
        "{growth} (ein Hinweis, der nichts kostet; verlangt: {most}).  "
        "Zeit eines Aufrufs nach Größe: {points}"
    ),
    "between {name} and {other}, which counts as {name} (as the size to the power of {power})": (
        "zwischen {name} und {other}, gezählt als {name} (wie die Größe hoch {power})"
    ),
    "{name} (as the size to the power of {power})": "{name} (wie die Größe hoch {power})",
    "{growth}; all up to {most}.  Time of a call by size: {points}": (
        "{growth}; volle Punkte bis {most}.  Zeit eines Aufrufs nach Größe: {points}"
    ),
    "all of the case": "der ganze Fall",
    "{share} of the case": "{share} des Falls",
    "nothing": "nichts",
    "{n} round": "{n} Durchgang",
    "{n} rounds": "{n} Durchgängen",
    "the middle of {rounds}, give or take {share} %": "die Mitte von {rounds}, auf {share} % genau",
    # Rules, attempts, source, the foot of the page.
    "Rules on the source": "Regeln für den Quelltext",
    "kept": "eingehalten",
    "broken": "verletzt",
    "not checked everywhere": "nicht überall geprüft",
    "This costs nothing.": "Das kostet nichts.",
    "This costs marks, see how the mark comes about.": (
        "Das kostet Punkte, siehe, wie die Punkte zustande kommen."
    ),
    "A submission that breaks this rule is not marked.": (
        "Eine Abgabe, die diese Regel verletzt, wird nicht bewertet."
    ),
    "Attempts": "Versuche",
    "Attempt": "Versuch",
    "Handed in": "Abgegeben",
    "Counts": "Zählt",
    "counts": "zählt",
    "time not known": "Zeit nicht bekannt",
    "{time} late": "{time} zu spät",
    "Comments": "Kommentare",
    "On line {n} of {file}:": "Zu Zeile {n} von {file}:",
    "This page is about that one.": "Um ihn geht es auf dieser Seite.",
    "The latest attempt counts.": "Der letzte Versuch zählt.",
    "The best attempt counts, each after its own penalties; of equal ones the latest.": (
        "Der beste Versuch zählt, jeder nach seinen eigenen Abzügen; von gleichen der letzte."
    ),
    "The latest attempt before the deadline counts; if none came in time, the first one does.": (
        "Der letzte Versuch vor der Frist zählt; kam keiner rechtzeitig, der erste."
    ),
    "{n} day": "{n} Tag",
    "{n} days": "{n} Tage",
    "{n} hour": "{n} Stunde",
    "{n} hours": "{n} Stunden",
    "{n} minute": "{n} Minute",
    "{n} minutes": "{n} Minuten",
    "{n} second": "{n} Sekunde",
    "{n} seconds": "{n} Sekunden",
    "Your source": "Dein Quelltext",
    "{n} line": "{n} Zeile",
    "{n} lines": "{n} Zeilen",
    "{n} more line": "{n} weitere Zeile",
    "{n} more lines": "{n} weitere Zeilen",
    " and ": " und ",
    "and {n} more:": "und {n} weitere:",
    "Line {first}": "Zeile {first}",
    "Lines {first} to {last}": "Zeilen {first} bis {last}",
    "{what} left out here.": "Hier ausgelassen: {what}.",
    "marked {time} by grader {version}, run {run}": "bewertet {time} mit grader {version}, Lauf {run}",
    "Digest of what was handed in:": "Prüfsumme der Abgabe:",
    "{file} ended itself at line {n}; what was defined before is marked": (
        "{file} beendete sich in Zeile {n}; bewertet wird, was davor definiert ist"
    ),
    "{file} stopped at line {n} with {exception}; what was defined before is marked": (
        "{file} brach in Zeile {n} mit {exception} ab; bewertet wird, was davor definiert ist"
    ),
    "Digest of what was marked:": "Prüfsumme dessen, was bewertet wurde:",
    "What was marked": "Was bewertet wurde",
    "{file} was marked in place of what was handed in.": "Anstelle der Abgabe wurde {file} bewertet.",
    "{file} was marked in place of {attempt}.": "Anstelle von {attempt} wurde {file} bewertet.",
    "{file} was marked in place of {attempt}, which does not count.": (
        "Anstelle von {attempt} wurde {file} bewertet; dieser Versuch zählt nicht."
    ),
    "{person} gave it: {reason}": "Vorgelegt von {person}: {reason}",
    "It took {n} off the mark.": "Dafür wurden {n} Punkte abgezogen.",
    # The terminal.
    "to print": "gefordert",
    "differs": "anders",
    "raised": "Ausnahme",
    "errors": "Fehler",
    "stopped": "angehalten",
    "rule": "Regel",
    "and": "und",
    "{n} more step": "{n} weiterer Schritt",
    "{n} more steps": "{n} weitere Schritte",
    " ({n} hidden)": " ({n} verdeckt)",
    "Accepted": "Richtig",
    "{accepted} of {n} case": "{accepted} von {n} Fall",
    "{accepted} of {n} cases": "{accepted} von {n} Fällen",
    "The same in {n} other case: {ids}": "Dasselbe in {n} weiteren Fall: {ids}",
    "The same in {n} other cases: {ids}": "Dasselbe in {n} weiteren Fällen: {ids}",
    "(from turn {n} on)": "(ab Wechsel {n})",
    "These are the public cases only; marking has others too.": (
        "Das sind nur die öffentlichen Fälle; bewertet wird auch nach anderen."
    ),
    "Not checked here, since a person marks it: {titles}.": (
        "Hier nicht geprüft, weil ein Mensch es bewertet: {titles}."
    ),
    "(there is more)": "(es geht weiter)",
}
