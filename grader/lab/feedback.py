"""The files that a validator of Kattis leaves in its folder: why, a score, and the input of the next pass.

The grader's code in the box reads them after a validator in Python.  One in C or C++ has none of it: there a
function that runs at its exit writes them to its error output, behind a word that nobody else knows.
"""

import re
import secrets
from collections.abc import Mapping

from grader.lab.digests import digest
from grader.model.outcome import Outcome, Returned
from grader.model.own_code import Validator
from grader.wire.byte_text import bytes_of, text_of
from grader.worker.box.files import ALL_FILES

INPUT, ANSWER = "input.txt", "answer.txt"
KEPT = (ALL_FILES, INPUT, ANSWER)
"""What a run keeps: all files but those that it was given."""
NEXT_INPUT = "nextpass.in"
_SALT = secrets.token_hex(16)
_ENTRY = re.compile(rb"([0-9]+) ([0-9]+)\n")
_AT_EXIT = r"""
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
__attribute__((destructor)) static void grader_files_left(void) {
  static char buffer[65536];
  struct dirent *entry;
  DIR *folder;
  fflush(NULL);
  folder = opendir(".");
  if (folder == NULL) return;
  fputs("\nTOKEN\n", stderr);
  while ((entry = readdir(folder)) != NULL) {
    struct stat about;
    FILE *file;
    size_t name = 0, left;
    while (entry->d_name[name] != 0) name++;
    if (lstat(entry->d_name, &about) != 0 || !S_ISREG(about.st_mode)) continue;
    if (GIVEN) continue;
    file = fopen(entry->d_name, "rb");
    if (file == NULL) continue;
    left = (size_t)about.st_size;
    fprintf(stderr, "%lu %lu\n%s", (unsigned long)name, (unsigned long)left, entry->d_name);
    while (left > 0) {
      size_t some = fread(buffer, 1, left < sizeof buffer ? left : sizeof buffer, file);
      if (some == 0) break;
      fwrite(buffer, 1, some, stderr);
      left -= some;
    }
    fclose(file);
  }
  fputs("TOKEN\n", stderr);
  fflush(stderr);
}
"""


def with_files_told(source: str, token: str) -> str:
    """Return a source in C or C++ whose program tells at its exit what it left, all but what is given."""
    given = " || ".join(f'strcmp(entry->d_name, "{name}") == 0' for name in (INPUT, ANSWER))
    return source + _AT_EXIT.replace("TOKEN", token).replace("GIVEN", given)


def token_of(validator: Validator) -> str:
    """Return the word of a validator, which changes with each process of the grader's."""
    return digest(_SALT, validator.file, *(part for pair in validator.texts for part in pair))


def left_by(validator: Validator, outcome: Outcome) -> dict[str, bytes]:
    """Return the files that a validator left, by name."""
    if validator.language:
        return _told(bytes_of(outcome.stderr), token_of(validator).encode())
    value = outcome.answers[0].value if outcome.answers and isinstance(outcome.answers[0], Returned) else {}
    files = value.get("files", {}) if isinstance(value, Mapping) else {}
    return {name: content for name, content in files.items() if type(content) is bytes}


def without_files(validator: Validator, stderr: str) -> str:
    """Return the error output of a validator without the files that it tells."""
    return stderr.partition(f"\n{token_of(validator)}\n")[0] if validator.language else stderr


def _told(stderr: bytes, token: bytes) -> dict[str, bytes]:
    _, start, rest = stderr.partition(b"\n" + token + b"\n")
    found: dict[str, bytes] = {}
    while start and (entry := _ENTRY.match(rest)) is not None:
        name, size = int(entry[1]), int(entry[2])
        rest = rest[entry.end() :]
        if len(rest) < name + size:
            break
        found[text_of(rest[:name])] = rest[name : name + size]
        rest = rest[name + size :]
    return found if rest.rstrip() == token else {}
