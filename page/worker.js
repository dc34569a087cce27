// Python in a worker: loads Pyodide and the package from this folder, and answers what the page asks.
let pyodide = null, answer = null;

const tell = (part, text) => postMessage({ what: "progress", part, text });

const start = async (here) => {
  tell(5, "Loading Python (about 14 MB, once) …");
  const { loadPyodide } = await import(here + "pyodide.mjs");
  tell(15, "Loading Python (about 14 MB, once) …");
  const [python, archive, glue] = await Promise.all([
    loadPyodide({ indexURL: here }),
    fetch(here + "packages.zip").then((found) => found.arrayBuffer()),
    fetch(here + "answer.py").then((found) => found.text()),
  ]);
  pyodide = python;
  tell(75, "Unpacking reconcile …");
  pyodide.unpackArchive(archive, "zip", { extractDir: "/packages" });
  tell(85, "Starting reconcile …");
  pyodide.runPython(glue);
  answer = pyodide.globals.get("answer");
  tell(95, "Warming up …");
  answer("2,362,368", null, null, null);
  postMessage({ what: "ready" });
};

const ask = ({ id, text, second, name, bytes }) => {
  const began = performance.now();
  const file = bytes ? "/given" : null;
  if (bytes) {
    pyodide.FS.mkdirTree(file);
    pyodide.FS.writeFile(file + "/" + name.replaceAll("/", "_"), new Uint8Array(bytes));
  }
  const said = JSON.parse(answer(text ?? null, second ?? null, file, name ? name.replaceAll("/", "_") : null));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  postMessage({ what: "answer", id, seconds, ...said });
};

self.onmessage = ({ data }) => {
  if (data.what === "start") start(data.here).catch((error) => postMessage({ what: "failed", text: String(error) }));
  if (data.what === "ask") ask(data);
};
