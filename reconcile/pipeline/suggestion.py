"""What a misspelt name was probably meant to be: a command, a model, a release, or a file beside it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LONGEST = 100
"""Characters of a name that is looked for."""

MOST = 1_000
"""Files of a directory that are looked at."""


def suggestion(name: str, further: Iterable[str] = ()) -> str | None:
    """The name that is most like one: a model's, one of `further`, or that of a file in the same directory."""
    from difflib import get_close_matches

    from reconcile.spec import model_names

    if len(name) > LONGEST:
        return None
    known = [*further, *model_names()]
    plain = re.sub(r"[\s_]+", "-", name.strip().lower())
    begun = [one for one in known if one.startswith(plain)] if len(plain) > 2 else []
    return next(iter([*get_close_matches(plain, known, n=1, cutoff=0.75), *begun, *_beside(name)]), None)


def _beside(name: str) -> Iterator[str]:
    """Paths of files beside the one that a path names, the most alike first."""
    from difflib import get_close_matches
    from itertools import islice

    path = Path(name)
    try:
        there = [one.name for one in islice(path.parent.iterdir(), MOST) if one.name != path.name]
    except (OSError, ValueError):
        return
    yield from (str(path.parent / one) for one in get_close_matches(path.name, there, n=1, cutoff=0.75))
