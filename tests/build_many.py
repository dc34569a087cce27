"""Build several keras-bert models in one process and keep each in the cache, as `reconcile build` would one by one.

    python build_many.py < jobs.json        # jobs: [[cache name, arguments of get_model], ...]

Importing TensorFlow takes longer than building a small model, so the tests share one import. What builds is the
worker's own `build`, in the environment that the worker is given.
"""

import gc
import json
import sys
from runpy import run_path

from reconcile.environments import cache
from reconcile.environments.packages import WORKER

sys.path.insert(0, str(WORKER))
gc.disable()
build = run_path(str(WORKER / "__main__.py"), run_name="worker")["build"]
for name, arguments in json.load(sys.stdin):
    cache.save(name, build(arguments))
