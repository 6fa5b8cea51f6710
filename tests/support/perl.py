"""Perl, as a language that is added from outside: the example plugin's, loaded from its file."""

from importlib.util import module_from_spec, spec_from_file_location

from support.plugged import EXAMPLE

_SPEC = spec_from_file_location("example_perl", EXAMPLE / "grader_example" / "perl.py")
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
Perl = _MODULE.Perl
LANGUAGE = _MODULE.PERL
