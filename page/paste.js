"use strict";
// The page: takes what is pasted, asks the worker, which has Python, and shows the answer. Nothing is sent anywhere: the
// policy in index.html lets this page reach its own folder only, and the worker is bound by the same policy.
(() => {
  const at = (id) => document.getElementById(id);
  const form = at("form"), first = at("first"), second = at("second"), result = at("result");
  const says = at("says"), progress = at("progress"), status = at("status"), stop = at("stop");
  const here = new URL(".", location.href).href;
  let worker = null, ready = false, asked = null, number = 0;

  const tell = (text, failed = false) => {
    says.textContent = text;
    status.classList.toggle("failed", failed);
  };

  // A worker from a blob has the policy of the page that made it; one from an address would have none.
  const start = () => {
    ready = false;
    progress.hidden = false;
    const source = new Blob([`import(${JSON.stringify(here + "worker.js")}).catch((e) => postMessage({ what: "failed", text: String(e) }));`], { type: "text/javascript" });
    const address = URL.createObjectURL(source);
    worker = new Worker(address, { type: "module" });
    worker.onmessage = ({ data }) => (heard[data.what] || (() => {}))(data);
    worker.onerror = (event) => {
      progress.hidden = true;
      tell("Python could not be loaded: " + (event.message || "the worker did not start"), true);
    };
  };

  const heard = {
    progress: ({ part, text }) => {
      progress.value = part;
      tell(text);
    },
    ready: () => {
      ready = true;
      progress.hidden = true;
      document.body.dataset.ready = "yes";
      tell("Ready.");
      if (asked) send();
    },
    failed: ({ text }) => {
      progress.hidden = true;
      tell("Python could not be loaded: " + text, true);
    },
    answer: ({ id, html, took, error, seconds }) => {
      if (id !== number) return;
      asked = null;
      stop.hidden = true;
      if (error) {
        result.replaceChildren();
        tell(error, true);
      } else {
        // What Python wrote is escaped there; the policy of this page runs no script that stands in it.
        result.innerHTML = html;
        result.querySelectorAll(".reconcile").forEach(window.reconcileReport);
        tell(`Taken for ${took}. Answered in ${seconds} s.`);
        first.rows = second.rows = 3;
      }
      document.body.dataset.answered = String(id);
    },
  };

  const send = () => {
    if (!ready) return;
    tell("Working …");
    stop.hidden = false;
    worker.postMessage({ id: number, ...asked });
  };

  const ask = (question) => {
    number += 1;
    asked = question;
    if (ready) send();
    else tell("Python is still loading; the answer follows.");
  };

  const submit = (length = 0) => {
    const both = !length && !at("second-input").hidden && second.value.trim();
    if (!first.value.trim()) {
      tell("Paste something first.", true);
      first.focus();
    } else ask({ text: first.value, second: both ? second.value : null, length });
  };

  const open = async (file) => {
    const bytes = await file.arrayBuffer();
    const text = new Uint8Array(bytes.slice(0, 4096)).includes(0) ? null : new TextDecoder().decode(bytes);
    if (text !== null && text.length < 2_000_000) first.value = text;
    ask({ name: file.name, bytes });
  };

  const compare = (on) => {
    at("second-input").hidden = !on;
    at("compare").setAttribute("aria-pressed", String(on));
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  });
  first.addEventListener("paste", () => setTimeout(() => { if (at("second-input").hidden) submit(); }, 0));
  at("compare").addEventListener("click", () => compare(at("second-input").hidden));
  at("cost").addEventListener("click", () => submit(Math.max(1, at("length").valueAsNumber || 128)));
  at("clear").addEventListener("click", () => {
    first.value = second.value = "";
    result.replaceChildren();
    tell(ready ? "Ready." : "Loading Python …");
    first.focus();
  });
  at("file").addEventListener("change", (event) => {
    if (event.target.files[0]) open(event.target.files[0]);
    event.target.value = "";
  });
  stop.addEventListener("click", () => {
    worker.terminate();
    stop.hidden = true;
    asked = null;
    number += 1;
    tell("Stopped; loading Python again …");
    start();
  });
  const page = document.querySelector(".paste");
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      event.preventDefault();
      page.classList.toggle("dropping", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
    });
  }
  fetch("examples.json").then((answer) => answer.json()).then((examples) => {
    for (const { name, text, second: other } of examples) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.addEventListener("click", () => {
        compare(Boolean(other));
        first.value = text;
        second.value = other || "";
        submit();
      });
      at("examples").append(button);
    }
  });
  start();
})();
