"""German words of a course's pages, by the English ones; see `grader.reports.words`."""

from collections.abc import Mapping

GERMAN_COURSE: Mapping[str, str] = {
    # The page of all.
    "Skip to the students": "Zu den Studierenden springen",
    "For staff": "Für das Team",
    "as of {time}": "Stand {time}",
    "On this page": "Auf dieser Seite",
    "Pages of students": "Seiten der Studierenden",
    "Page {n}": "Seite {n}",
    "Students {first} to {last} of {total}": "Studierende {first} bis {last} von {total}",
    "Tasks": "Aufgaben",
    "Students": "Studierende",
    "Questions": "Teilaufgaben",
    "Needs a person": "Braucht einen Menschen",
    "Nothing needs a person": "Nichts braucht einen Menschen",
    "and {n} more": "und {n} weitere",
    "Task": "Aufgabe",
    "Due": "Fällig",
    "Pending": "Ausstehend",
    "Mean mark": "Mittel",
    "State": "Stand",
    "stale": "veraltet",
    "released": "freigegeben",
    "· not due or no results · — nothing handed in · ? pending · exc. excused. Of a column: so far, and what "
    "it is if nothing more comes.": (
        "· nicht fällig oder ohne Ergebnis · — nichts abgegeben · ? ausstehend · befr. befreit. In Spalten: "
        "bisher, und was es wird, wenn nichts mehr kommt."
    ),
    "Student": "Name",
    "Grade": "Note",
    "Passed": "Bestanden",
    "Nobody is known yet: the course has no roster, and nothing is marked.": (
        "Noch ist niemand bekannt: der Kurs hat keine Liste, und nichts ist bewertet."
    ),
    "Questions that cost the class most": "Teilaufgaben, die am meisten Punkte kosten",
    "Question": "Teilaufgabe",
    "Marks lost": "Verlorene Punkte",
    "{n} task": "{n} Aufgabe",
    "{n} tasks": "{n} Aufgaben",
    "{n} student": "{n} Person",
    "{n} students": "{n} Personen",
    # What needs a person.
    "{task} was due and is not marked": "{task} war fällig und ist nicht bewertet",
    "grader course mark marks it.": "grader course mark bewertet sie.",
    "{task}: {n} mark could not be decided": "{task}: {n} Bewertung war nicht zu entscheiden",
    "{task}: {n} marks could not be decided": "{task}: {n} Bewertungen waren nicht zu entscheiden",
    "The task's page says why.": "Warum, steht auf der Seite der Aufgabe.",
    "{task}: a person has to mark {n} work": "{task}: ein Mensch muss {n} Abgabe bewerten",
    "{task}: a person has to mark {n} works": "{task}: ein Mensch muss {n} Abgaben bewerten",
    "{task}: {n} work does not load": "{task}: {n} Abgabe lädt nicht",
    "{task}: {n} works do not load": "{task}: {n} Abgaben laden nicht",
    "{n} criterion in all.": "Insgesamt {n} Kriterium.",
    "{n} criteria in all.": "Insgesamt {n} Kriterien.",
    "Changed since it was marked: {tasks}": "Geändert, seit sie bewertet wurden: {tasks}",
    "grader course mark marks what changed.": "grader course mark bewertet, was sich geändert hat.",
    "{n} student handed in nothing for the last two tasks": (
        "{n} Person hat bei den letzten beiden Aufgaben nichts abgegeben"
    ),
    "{n} students handed in nothing for the last two tasks": (
        "{n} Personen haben bei den letzten beiden Aufgaben nichts abgegeben"
    ),
    "Not on the roster: {n} person in the results": "Nicht auf der Liste: {n} Person in den Ergebnissen",
    "Not on the roster: {n} people in the results": "Nicht auf der Liste: {n} Personen in den Ergebnissen",
    "{task} has marks above {most}: {names}": "{task} hat mehr als {most} Punkte: {names}",
    "{sheet} has people who are not in the course: {names}": (
        "{sheet} nennt Personen, die nicht im Kurs sind: {names}"
    ),
    "a line of its sheet is of nobody in the course": "eine Zeile der Liste nennt niemanden aus dem Kurs",
    "excused for {task}, and not in the course: {name}": "befreit von {task}, und nicht im Kurs: {name}",
    # A student's page.
    "Skip to the tasks": "Zu den Aufgaben springen",
    "for staff": "für das Team",
    "Remarks": "Bemerkungen",
    "The term so far": "Der bisherige Stand",
    "If nothing more comes: {value}": "Wenn nichts mehr kommt: {value}",
    "no results yet": "noch kein Ergebnis",
    "not released yet": "noch nicht freigegeben",
    "not marked yet": "noch nicht bewertet",
    "not due yet": "noch nicht fällig",
    "nothing handed in": "nichts abgegeben",
    "exc.": "befr.",
    "excused": "befreit",
    "awaits a person": "ein Mensch muss noch bewerten",
    "the grader could not decide": "das Bewertungsprogramm konnte nicht entscheiden",
    "results of several works: {names}": "Ergebnisse mehrerer Abgaben: {names}",
    "a person set the mark": "ein Mensch hat die Punkte gesetzt",
    "{mark} of {most}": "{mark} von {most}",
    "{mark} of {most} mark": "{mark} von {most} Punkt",
    "{mark} of {most} marks": "{mark} von {most} Punkten",
    # Requests to look again.
    "{n} student waits for an answer to a request to look again": (
        "{n} Person wartet auf eine Antwort auf eine Bitte um Durchsicht"
    ),
    "{n} students wait for an answer to a request to look again": (
        "{n} Personen warten auf eine Antwort auf eine Bitte um Durchsicht"
    ),
    "{n} of them asked too late, or too often": "{n} davon zu spät oder zu oft",
    "a request of {name}, who is not in the course": "eine Bitte von {name}, nicht im Kurs",
    "{names} are called {name}, and may be one person: put them on the roster": (
        "{names} heißen {name} und sind vielleicht eine Person: bitte in die Liste eintragen"
    ),
    "{names} have no name, and may be one person: put them on the roster": (
        "{names} haben keinen Namen und sind vielleicht eine Person: bitte in die Liste eintragen"
    ),
    "Requests to look again": "Bitten um Durchsicht",
    "About": "Wozu",
    "Asked": "Gestellt",
    "Request": "Bitte",
    "Decision": "Entscheidung",
    "Answer": "Antwort",
    "{task}, question {id}": "{task}, Teilaufgabe {id}",
    "waits": "offen",
    "kept": "bleibt",
    "changed": "geändert",
    "declined": "abgelehnt",
    "changed to {mark}": "geändert auf {mark}",
    # Slip days.
    "Slip days": "Karenztage",
    "{n} slip day": "{n} Karenztag",
    "{n} slip days": "{n} Karenztage",
    "left": "übrig",
    "Days used": "Verbraucht",
    "Days left": "Übrig",
    "Why": "Grund",
    "Budget": "Vorrat",
    "Added on {time}": "Dazu am {time}",
    "Tasks that are not released yet may have used days.": (
        "Aufgaben, die noch nicht freigegeben sind, können Tage verbraucht haben."
    ),
    "{days} needed": "{days} nötig",
    "at most {n} for one task": "höchstens {n} für eine Aufgabe",
    "{n} left": "{n} übrig",
    "{days}, {short}: no marks, and none is spent": "{days}, {short}: keine Punkte, keiner verbraucht",
    "{days}, {short}: the rest is penalised": "{days}, {short}: für den Rest gibt es Abzug",
    "{days}, {short}: the lateness is penalised": "{days}, {short}: für die Verspätung gibt es Abzug",
    "late by no more than the grace": "nicht später als erlaubt",
    "in time": "rechtzeitig",
    "the time of handing in is unknown": "die Zeit der Abgabe ist nicht bekannt",
    "a person set the mark to zero": "ein Mensch hat die Punkte auf null gesetzt",
    "handed in too late to be accepted": "zu spät abgegeben, um angenommen zu werden",
    # Columns.
    "{n} of {tasks} count so far": "bisher zählen {n} von {tasks}",
    "{n} of {total}": "{n} von {total}",
    "{why}, counts as zero": "{why}, zählt als null",
    "nothing handed in, which is pending here": "nichts abgegeben, was hier noch aussteht",
    "left out": "zählt nicht mit",
    "dropped": "gestrichen",
    "Drops so far": "Bisher gestrichen",
    "Mean of {tasks}": "Mittel von {tasks}",
    "Sum of {tasks}": "Summe von {tasks}",
    "Still possible": "Noch möglich",
    "{a} to {b}": "{a} bis {b}",
    "not yet": "noch nicht",
    "no value": "kein Wert",
    "nothing counts so far": "bisher zählt nichts",
    "nothing in it counts for this student": "nichts davon zählt für diese Person",
    "left out, as nothing in it counts for this student": (
        "zählt nicht mit, weil nichts davon für diese Person zählt"
    ),
    "{title}, bonus": "{title}, Bonus",
    "{title} so far": "{title} bisher",
    "{title} if nothing more comes": "{title}, wenn nichts mehr kommt",
    "{weight} of {value}": "{weight} von {value}",
    "weight {share}": "Gewicht {share}",
    "{amount} of the {weight} that have a value": "{amount} von den {weight}, die einen Wert haben",
    "Scaled to the parts that are there": "Hochgerechnet auf die Teile, die da sind",
    "Capped at {share}": "Begrenzt auf {share}",
    "Rounding": "Rundung",
    "from {before} to {after}": "von {before} auf {after}",
    # Grade and passing.
    "none": "keine",
    "nothing in {column} counts for this student": "nichts in {column} zählt für diese Person",
    "open: {tasks}; possible: {grades}": "offen: {tasks}; möglich: {grades}",
    "{value}, below {share}": "{value}, unter {share}",
    "{value}, the scale has no steps": "{value}, die Skala hat keine Stufen",
    "At least {share} in {column}": "Mindestens {share} in {column}",
    "At least {share} in {n} of {tasks}": "Mindestens {share} in {n} von {tasks}",
    "nothing in it counts for this student, so a person decides": (
        "nichts davon zählt für diese Person, also entscheidet ein Mensch"
    ),
    "{n} reached": "{n} erreicht",
    "{n} open": "{n} offen",
    "{n} excused": "{n} befreit",
    "reached": "erreicht",
    "not reached": "nicht erreicht",
    "open": "offen",
    "passed": "bestanden",
    "not passed": "nicht bestanden",
}
