"""Where the page of a student lies, as a file and as a link.

Intake gives ids that are safe file names.  A results file can come from elsewhere, so an id
that is not is encoded here: no id leads out of the folder or to another student's page.
"""

import hashlib
import re
from urllib.parse import quote

INDEX = "index.html"
STAFF_FOLDER = "staff"
STUDENT_FOLDER = "students"

_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|%\ud800-\udfff\u200b-\u200f\u2028-\u202e]|^[. ]|[. ]$|^$')
_LONGEST_B = 200


def page_file(student_id: str) -> str:
    """Return the file name of a student's page; different ids have different ones."""
    name = student_id
    if _UNSAFE.search(name):
        name = "%" + quote(name, safe="", errors="surrogatepass").replace(".", "%2E")
    if len(name.encode()) > _LONGEST_B:
        digest = hashlib.sha256(name.encode()).hexdigest()[:32]
        name = f"%{quote(name[:40], safe='%')[:120]}%{digest}"
    return f"{name}.html"


def index_file(number: int) -> str:
    """Return the file name of a page of the cohort; the first is 1."""
    return INDEX if number == 1 else f"index-{number}.html"


def page_link(folder: str, student_id: str) -> str:
    """Return the link to a student's page from the folder of the report."""
    return f"{folder}/{quote(page_file(student_id), safe='')}"
