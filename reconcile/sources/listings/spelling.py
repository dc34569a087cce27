"""Spellings of rows that mean what a plainer one means: keys of trees, GGUF's logs, markup of tables."""

import re
from collections.abc import Callable

from reconcile.sources.listings.spans import unspanned

_TUPLE = re.compile(r"\((?:'[^'\n]{1,100}', ?)+(?:'[^'\n]{1,100}')?\)(?=\s{0,4}[:=,|-]{0,3}>?\s*[\[(\d]|\s+\w)")
_KEYS = re.compile(
    r"(?<![\w\])])\.?(?:[A-Za-z_]\w{0,80})?(?:\[(?:'[^'\]\n]{1,100}'|\"[^\"\]\n]{1,100}\")\](?:\.\w{1,40})?){1,40}"
)
_KEY_OBJECTS = re.compile(r"\((?:\w{3,20}Key\((?:key|name|idx)=['\"]?[^'\")]{1,80}['\"]?\),? ?){1,40}\)")
_KEY_OBJECT = re.compile(r"Key\((?:key|name|idx)=['\"]?([^'\")]{1,80})")
_KEY = re.compile(r"['\"]([^'\"]+)['\"]|\.(\w+)")
_GGUF_LOG = re.compile(r"^.{0,80}?tensor +\d+: +(?P<name>\S+) +(?P<type>\w+) +\[ *(?P<axes>\d+(?:, *\d+){0,3}) *\]")
_GGUF_DUMP = re.compile(
    r"^ *\d+: *(?P<count>\d+) *\| *(?P<axes>\d+(?:, *\d+){0,3}) *\| *(?P<type>\w+) *\| *(?P<name>\S+) *$"
)
# TensorFlow's profiler: a scope's row `bert (--/109.48m params)` repeats those below it.
_TFPROF = re.compile(
    r"^ *(?P<name>[\w./:\-]{1,300}) \((?:(?P<axes>\d+(?:x\d+){0,7}), [\d.]+[kmb]?|(?P<scope>--))"
    r"/[\d.]+[kmb]? params\)\s*$"
)
_BETWEEN_TAGS = re.compile(r">\s+<")
_LATEX_END = re.compile(r"\s*\\\\(?:\s*\\hline)?\s*$", re.MULTILINE)
_STYLE = re.compile(r"(?:style|align|class|scope)=\"[^\"\n]{0,80}\"\s*\|?")


def plain_markup(text: str) -> str:
    """A text with each row of an HTML, LaTeX or MediaWiki table on a line of its own, its cells between bars."""
    if "<table" in text:
        text = unspanned(_BETWEEN_TAGS.sub("><", text))
    if "\\begin{tabular}" in text:
        text = _LATEX_END.sub("", text).replace("\\_", "_").replace("\\hline", "").replace(" & ", " | ")
    if '{| class="wikitable' in text:
        text = _STYLE.sub("", text).replace("||", "|").replace("!!", "|").replace("\n! ", "\n| ").replace("\n|-", "")
    return text


def plain_names(line: str) -> str:
    """A line with the keys of a tree, `('a', 'b')` or `['a']['b']`, as one path, and GGUF's axes in usual order."""
    for sign, spelt in _SPELT:
        if sign in line:
            line = spelt(line)
    return line


def _of_tuple(line: str) -> str:
    return _TUPLE.sub(lambda found: _path(found[0]), line, count=1)


def _of_keys(line: str) -> str:
    return _KEYS.sub(lambda found: _path(found[0]), line, count=1)


def _of_key_objects(line: str) -> str:
    return _KEY_OBJECTS.sub(lambda found: "/".join(_KEY_OBJECT.findall(found[0])), line, count=1)


def _path(text: str) -> str:
    return "/".join(quoted or word for quoted, word in _KEY.findall(text))


def _of_gguf(line: str) -> str:
    found = _GGUF_LOG.match(line) or _GGUF_DUMP.match(line)
    if not found:
        return line
    axes = [int(axis) for axis in found["axes"].split(",")]
    while len(axes) > 1 and axes[-1] == 1:
        axes.pop()
    return f"{found['name']} {axes[::-1]} {found['type']}"


def _of_profile(line: str) -> str:
    found = _TFPROF.match(line)
    if not found:
        return line
    return "" if found["scope"] else f"{found['name']} [{found['axes'].replace('x', ', ')}]"


_SPELT: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("('", _of_tuple),
    ("Key(", _of_key_objects),
    ("['", _of_keys),
    ('["', _of_keys),
    ("tensor ", _of_gguf),
    (" | ", _of_gguf),
    (" params)", _of_profile),
)
