"""What every fuzz script shares: rounds that can be done again one by one, and its command line."""

import argparse
import random
import time
from collections.abc import Iterator


def rounds(seconds: float, most: int, seed: object) -> Iterator[tuple[int, random.Random]]:
    """Each round's number, from 1 on, and its own randomness, until the time is over or `most` (if not 0) are done."""
    end, number = time.monotonic() + seconds, 0
    while (most and number < most) or (not most and time.monotonic() < end):
        number += 1
        yield number, random.Random(f"{seed}/{number}")


def parser(description: str) -> argparse.ArgumentParser:
    """The options that every script takes: `--seconds`, `--rounds`, `--seed`."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--rounds", type=int, default=0, help="do so many rounds, whatever the time")
    options.add_argument("--seed", type=int, default=0)
    return options
