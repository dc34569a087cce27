"use strict";
// What a report does beyond being read: enlarging the drawing, searching, unfolding, copying a path.
// Everything shown stands in the document; nothing is counted here, and no text is ever taken for markup.
(() => {
  const HEIGHT = 480, LINE = 15;

  const text = (svg, y, height) => {
    svg.setAttribute("y", y);
    svg.setAttribute("height", height);
    const lines = [...svg.children];
    const rows = height < 13 ? 0 : Math.max(1, Math.floor((height - 2) / LINE));
    lines.forEach((line, place) => line.classList.toggle("hidden", place >= rows));
    if (lines[0]) lines[0].setAttribute("y", rows === 1 ? Math.min(14, height - 3) : 14);
  };

  // Boxes keep their columns; what is chosen becomes as high as the drawing, and what it is part of stays beside it.
  const zoom = (boxes, to) => {
    const start = Number(to.dataset.start), count = Number(to.dataset.count);
    for (const box of boxes) {
      const from = Number(box.dataset.start), till = from + Number(box.dataset.count);
      const top = Math.max(0, ((from - start) / count) * HEIGHT);
      const bottom = Math.min(HEIGHT, ((till - start) / count) * HEIGHT);
      const seen = bottom > top;
      box.classList.toggle("gone", !seen);
      if (!seen) continue;
      const rect = box.querySelector(":scope > rect");
      rect.setAttribute("y", top);
      rect.setAttribute("height", bottom - top);
      const label = box.querySelector(":scope > svg");
      if (label) text(label, top, bottom - top);
    }
  };

  const picture = (figure) => {
    const boxes = [...figure.querySelectorAll("a.box")];
    if (!boxes.length) return;
    const told = figure.querySelector(".told"), tools = figure.querySelector(".tools");
    const parent = (box) => boxes[Number(box.dataset.parent)] || null;
    const children = (box) => boxes.filter((one) => parent(one) === box && !one.classList.contains("gone"));
    let chosen = boxes[0], whole = boxes[0];
    const tell = (box) => {
      told.textContent = box.querySelector(":scope > title").textContent;
      for (const one of boxes) {
        one.classList.toggle("alike", one !== box && one.dataset.alike === box.dataset.alike);
        one.classList.toggle("chosen", one === box);
      }
    };
    const choose = (box, focus) => {
      boxes.forEach((one) => one.setAttribute("tabindex", one === box ? "0" : "-1"));
      chosen = box;
      tell(box);
      tools.hidden = false;
      if (focus) box.focus({ preventScroll: true });
    };
    const enlarge = (box) => {
      whole = box;
      zoom(boxes, box);
      choose(box, false);
    };
    const keys = {
      ArrowLeft: () => parent(chosen),
      ArrowRight: () => children(chosen)[0],
      ArrowUp: () => beside(-1),
      ArrowDown: () => beside(1),
      Home: () => whole,
    };
    const beside = (step) => {
      const all = boxes.filter((one) => parent(one) === parent(chosen) && !one.classList.contains("gone"));
      return all[all.indexOf(chosen) + step];
    };
    const out = () => {
      const next = parent(whole) || boxes[0];
      enlarge(next);
      next.focus({ preventScroll: true });
    };
    boxes.forEach((box) => {
      box.setAttribute("tabindex", box === boxes[0] ? "0" : "-1");
      box.addEventListener("pointerenter", () => tell(box));
      box.addEventListener("focus", () => choose(box, false));
      box.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        enlarge(box === whole ? parent(box) || box : box);
      });
    });
    figure.addEventListener("pointerleave", () => tell(chosen));
    figure.addEventListener("keydown", (event) => {
      if (!event.target.closest("a.box")) return;
      if (event.key === "Escape") out();
      else if (event.key === " ") enlarge(chosen);
      else if (keys[event.key]) {
        const next = keys[event.key]();
        if (next) choose(next, true);
      } else return;
      event.preventDefault();
    });
    tools.addEventListener("click", (event) => {
      const what = event.target.dataset.do;
      if (what === "out") out();
      if (what === "list") show(document.getElementById(chosen.getAttribute("href").slice(1)), true);
      if (what === "copy") copy(event.target, chosen.getAttribute("href").slice(1));
    });
  };

  const copy = (button, id) => {
    const row = document.getElementById(id);
    const path = (row && row.dataset.path) || id;
    const said = button.textContent;
    const done = () => {
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = said; }, 1200);
    };
    if (navigator.clipboard) navigator.clipboard.writeText(path).then(done, () => {});
  };

  const show = (row, focus) => {
    if (!row || !row.closest(".tree")) return;
    for (let one = row.parentElement; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    const details = row.querySelector(":scope > details");
    if (details) details.open = true;
    row.scrollIntoView({ block: "center" });
    if (!focus) return;
    history.replaceState(null, "", "#" + row.id);
    const line = row.querySelector(".line");
    if (!details) line.setAttribute("tabindex", "-1");
    line.focus({ preventScroll: true });
  };

  const search = (section, wanted, usual) => {
    const rows = [...section.querySelectorAll(".tree li")];
    const found = section.querySelector(".found");
    rows.forEach((row) => row.classList.remove("gone"));
    if (!wanted) {
      found.textContent = "";
      section.querySelectorAll(".tree details").forEach((one) => { one.open = usual.has(one); });
      return;
    }
    const hits = new Set();
    let many = 0;
    for (const row of rows) {
      const own = row.querySelector(":scope > .line, :scope > details > .line") || row;
      const words = (row.dataset.path || "") + " " + own.textContent;
      if (!words.toLowerCase().includes(wanted)) continue;
      many += 1;
      for (let one = row; one && !one.classList.contains("tree"); one = one.parentElement) {
        if (one.tagName === "LI") hits.add(one);
        if (one.tagName === "DETAILS" && one.parentElement !== row) one.open = true;
      }
      row.querySelectorAll("li").forEach((below) => hits.add(below));
    }
    rows.forEach((row) => row.classList.toggle("gone", !hits.has(row)));
    found.textContent = many === 0 ? "nothing found" : many === 1 ? "1 found" : many + " found";
  };

  const fold = (section, open) => {
    section.querySelectorAll(".tree details").forEach((one) => { one.open = open; });
    const first = section.querySelector(".tree > li > details");
    if (first) first.open = true;
  };

  const ledger = (section) => {
    const tools = section.querySelector(".tools");
    tools.hidden = false;
    const input = tools.querySelector("input");
    const usual = new Set(section.querySelectorAll(".tree details[open]"));
    input.addEventListener("input", () => search(section, input.value.trim().toLowerCase(), usual));
    tools.addEventListener("click", (event) => {
      if (event.target.dataset.do === "unfold") fold(section, true);
      if (event.target.dataset.do === "fold") fold(section, false);
    });
  };

  const here = () => {
    if (location.hash.length > 1) show(document.getElementById(decodeURIComponent(location.hash.slice(1))), false);
  };

  window.reconcileReport = (root) => {
    root.querySelectorAll("figure.picture").forEach(picture);
    root.querySelectorAll("section.ledger").forEach(ledger);
  };
  document.querySelectorAll(".reconcile").forEach(window.reconcileReport);
  window.addEventListener("hashchange", here);
  here();
})();
