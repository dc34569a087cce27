// Python in a worker: loads Pyodide and the package from this folder, and answers what the page asks.
let pyodide = null, answer = null;

const tell = (part, text) => postMessage({ what: "progress", part, text });

const start = async () => {
  const here = new URL(".", import.meta.url).href;
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
  pyodide.FS.mkdirTree("/given");
  tell(85, "Starting reconcile …");
  pyodide.runPython(glue);
  answer = pyodide.globals.get("answer");
  tell(95, "Warming up …");
  answer(JSON.stringify({ text: "2,362,368" }));
  postMessage({ what: "ready" });
};

const ask = ({ id, text, second, name, bytes, length }) => {
  const began = performance.now();
  const file = bytes ? name.replaceAll("/", "_") : "";
  if (bytes) pyodide.FS.writeFile("/given/" + file, new Uint8Array(bytes));
  const said = JSON.parse(answer(JSON.stringify({ text: text || "", second: second || "", name: file, length: length || 0 })));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  postMessage({ what: "answer", id, seconds, ...said });
};

self.onmessage = ({ data }) => ask(data);
start().catch((error) => postMessage({ what: "failed", text: String(error) }));
