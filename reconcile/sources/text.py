"""Text from a file, standard input or the clipboard, in whatever encoding it was saved; nothing is executed but the
clipboard's own tool."""

import re
import sys
from functools import cache
from pathlib import Path

from reconcile.datafile import read_bytes
from reconcile.errors import InputError
from reconcile.taxonomy import load_architecture, usual_architecture

LARGEST = 64 * 2**20
"""Bytes of the largest text that is read."""

_CLIPBOARDS = (
    ("wl-paste", "--no-newline"),
    ("xclip", "-selection", "clipboard", "-out"),
    ("xsel", "--clipboard", "--output"),
    ("pbpaste",),
    ("powershell.exe", "-NoProfile", "-Command", "Get-Clipboard"),
)
BLANK_LINES = 1000
"""Line ends of the longest run of blank lines that is kept: nothing is told by more of them."""

_BLANK = re.compile(rf"\n{{{BLANK_LINES},}}|(?:\r\n){{{BLANK_LINES},}}")
_MARKS = {
    b"\xff\xfe\0\0": "utf-32",
    b"\0\0\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"\xef\xbb\xbf": "utf-8-sig",
}
"""Marks at the start of a text, and the encodings that they are of; what begins as another does comes first."""
_PAIRED = re.compile(rb"(?:[\0-\x7f]|[\xa1-\xfe]{2})*")
"""Chinese in GBK and its relatives: outside of ASCII always two bytes, which letters with accents seldom are."""
_NO_TEXT = re.compile(r"[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]")
"""What no text has that people write or programs print."""


def text_of(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError when it cannot be read or is no text."""
    if name == "-":
        if sys.stdin is None:
            raise InputError("standard input", got="nothing: it is closed", takes="text")
        return decoded(sys.stdin.buffer.read(LARGEST + 1), "standard input")
    return decoded(read_bytes(Path(name), LARGEST), name)


def clipboard_text() -> str:
    """The text on the clipboard. Raises InputError where no clipboard tool is installed or it gives nothing."""
    import shutil
    import subprocess

    for command in _CLIPBOARDS:
        if shutil.which(command[0]):
            done = subprocess.run(command, capture_output=True, timeout=20, check=False)
            if done.returncode or not done.stdout.strip():
                raise InputError("clipboard", got=f"nothing from {command[0]}", takes="copied text")
            return decoded(done.stdout, "clipboard")
    tools = ", ".join(command[0] for command in _CLIPBOARDS)
    raise InputError("clipboard", got="no clipboard tool", takes=f"one of {tools}")


def decoded(data: bytes, name: str) -> str:
    """Bytes as text: by their mark, as UTF-8, as GBK, or else as Windows' Western encoding.

    Raises InputError for what is no text: in the last, nearly every byte is a character.
    """
    if len(data) > LARGEST:
        raise InputError(name, got=f"more than {LARGEST:,} bytes", takes="a smaller text")
    encoding = next((encoding for mark, encoding in _MARKS.items() if data.startswith(mark)), None)
    if encoding is None and b"\0" in data:
        raise InputError(name, f"byte {data.index(0) + 1:,}", "a zero byte", "text")
    try:
        text = data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding is not None:
            raise InputError(name, f"byte {error.start + 1:,}", f"bytes that are not {encoding}", "text") from None
        text = data.decode("gb18030" if _PAIRED.fullmatch(data) else "cp1252", "replace")
        if strange := _NO_TEXT.search(text):
            got = f"bytes that are not UTF-8, and {strange[0]!r} among them"
            raise InputError(name, f"character {strange.start() + 1:,}", got, "text") from None
    return _BLANK.sub(lambda run: run[0][:BLANK_LINES], text)


@cache
def _heads() -> re.Pattern[str]:
    """The number of heads behind what code and prose call it, or as names of checkpoints have it, `_A-12`."""
    lexicon = load_architecture(usual_architecture()).lexicon
    names = sorted({*lexicon.settings["A"], *lexicon.phrases["A"]}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, names))})\W{{1,6}}(\d{{1,3}})\b|[_-]A-?(\d{{1,3}})\b")


def heads_in(text: str) -> int | None:
    """The number of attention heads that a text states, such as `head_num=12`; None where it states none or several."""
    stated = {int(one or other) for one, other in _heads().findall(text)}
    return stated.pop() if len(stated) == 1 else None
