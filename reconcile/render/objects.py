"""Results as JSON: the only one's object, or several under `reports`."""

import json
from collections.abc import Sequence
from typing import Any


def dumped(objects: Sequence[dict[str, Any]], ascii_only: bool = False) -> str:
    """Objects of one schema and command as indented JSON; other signs than ASCII as they are, or as escapes."""
    first = objects[0]
    whole = first if len(objects) == 1 else {key: first[key] for key in ("schema", "command")} | {"reports": objects}
    return json.dumps(whole, ensure_ascii=ascii_only, indent=1) + "\n"
