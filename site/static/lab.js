// Shows the trial behind a dot, and filters what clients do. Without it the figures are the same pictures, the trials are on the page of
// their run, and all that clients do is shown.
"use strict";

(() => {
  const NEAR = 18; // pixels on the screen that a pointer may be away from a dot
  const root = document.documentElement.dataset.content_root || "./";
  const make = (tag, name) => Object.assign(document.createElement(tag), { className: name });

  const prepare = (figure) => {
    const { size, axis, of, dots } = JSON.parse(figure.querySelector(".lab-dots").textContent);
    const plot = figure.querySelector(".lab-plot");
    const canvas = plot.querySelector(".lab-canvas");
    const ring = make("div", "lab-ring");
    const tip = make("div", "lab-tip");
    ring.hidden = tip.hidden = true;
    tip.setAttribute("role", "status");
    canvas.append(ring, tip);
    plot.setAttribute("aria-label", `Figure with ${dots.length} trials; the arrow keys go from one to the next, Enter opens its row`);
    // From left to right, as the arrow keys go.
    const order = dots.map((_, i) => i).sort((a, b) => dots[a][1] - dots[b][1] || dots[a][0] - dots[b][0]);
    let shown = -1;

    const placed = (dot) => {
      const scale = canvas.clientWidth / size[0];
      return [dot[0] * scale, dot[1] * scale];
    };
    const address = (dot) => `${root}data/${of[dot[2]].split("\n")[0]}.html#trial-${dot[3]}`;
    const hide = () => {
      ring.hidden = tip.hidden = true;
      shown = -1;
    };
    const show = (i) => {
      if (i === shown) return;
      shown = i;
      const dot = dots[i];
      const [run, words] = of[dot[2]].split("\n");
      const line = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
      const link = Object.assign(document.createElement("a"), { href: address(dot), textContent: `trial ${dot[3]} of ${run}` });
      link.tabIndex = -1;
      const last = document.createElement("span");
      last.append(link, `, round ${dot[4]}, ${dot[6]}`);
      tip.replaceChildren(line("strong", words || run), line("span", axis ? `${axis}: ${dot[5]}` : dot[5]), last);
      ring.hidden = tip.hidden = false;
      const [x, y] = placed(dot);
      tip.style.left = `${Math.max(0, plot.scrollLeft)}px`;
      tip.style.maxWidth = `${Math.min(320, plot.clientWidth * 0.85)}px`;
      Object.assign(ring.style, { left: `${x}px`, top: `${y}px` });
      // On a phone the figure is wider than what is seen of it.
      const [from, room] = [Math.max(0, plot.scrollLeft - canvas.offsetLeft), Math.min(canvas.clientWidth, plot.clientWidth - 8)];
      const left = Math.max(from + 4, Math.min(x + 14, from + room - tip.offsetWidth - 4));
      const below = y + 12 + tip.offsetHeight < canvas.clientHeight;
      Object.assign(tip.style, { left: `${left}px`, top: `${below ? y + 12 : Math.max(0, y - 12 - tip.offsetHeight)}px` });
    };
    const nearest = (event) => {
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      let best = -1;
      let least = NEAR;
      dots.forEach((dot, i) => {
        const [a, b] = placed(dot);
        const away = Math.hypot(a - x, b - y);
        if (away < least) [best, least] = [i, away];
      });
      return best;
    };

    plot.addEventListener("pointermove", (event) => {
      if (tip.contains(event.target)) return;
      const near = nearest(event);
      if (near >= 0) show(near);
    });
    plot.addEventListener("pointerleave", hide);
    plot.addEventListener("blur", hide);
    plot.addEventListener("click", (event) => {
      const near = nearest(event);
      if (near >= 0 && !tip.contains(event.target)) show(near);
    });
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) {
        const at = shown < 0 ? (step > 0 ? -1 : order.length) : order.indexOf(shown);
        const next = order[Math.min(order.length - 1, Math.max(0, at + step))];
        const across = placed(dots[next])[0];
        if (across < plot.scrollLeft || across > plot.scrollLeft + plot.clientWidth) plot.scrollLeft = across - plot.clientWidth / 2;
        show(next);
        event.preventDefault();
      } else if (event.key === "Escape") {
        hide();
      } else if (event.key === "Enter" && shown >= 0) {
        location.href = address(dots[shown]);
      }
    });
  };

  document.querySelectorAll(".lab-figure:has(.lab-dots)").forEach(prepare);

  // What clients do: the address of a page says what is shown, and that of a cell shows all.
  const filtered = (form) => {
    const bodies = [...document.querySelectorAll(".lab-conduct tbody")];
    const { client, version, group, concerns } = form.elements;
    const count = form.querySelector("output");
    const asked = new URLSearchParams(location.search);
    const choices = [client, version, group];
    for (const choice of choices) {
      choice.value = asked.get(choice.name) || "";
      if (choice.selectedIndex < 0) choice.value = "";
    }
    concerns.checked = asked.has("concerns") ? asked.get("concerns") === "only" : !location.hash && !location.search;
    const apply = () => {
      let shown = 0;
      for (const body of bodies) {
        const here = [...body.rows].slice(1).filter((row) => {
          const other = [client, version].some((choice) => choice.value && (row.dataset[choice.name] || "own") !== choice.value);
          row.hidden = other || (concerns.checked && !("concern" in row.dataset));
          return !row.hidden;
        });
        body.hidden = !here.length || (group.value && body.dataset.group !== group.value);
        if (!body.hidden) shown += here.length;
      }
      for (const table of document.querySelectorAll(".lab-conduct")) table.closest("section").hidden = [...table.tBodies].every((body) => body.hidden);
      count.textContent = `${shown} cells`;
    };
    form.addEventListener("change", () => {
      apply();
      const query = new URLSearchParams();
      for (const choice of choices) if (choice.value) query.set(choice.name, choice.value);
      query.set("concerns", concerns.checked ? "only" : "all");
      history.replaceState(null, "", `?${query}`);
    });
    addEventListener("hashchange", () => {
      if (document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("[hidden]")) {
        for (const choice of choices) choice.value = "";
        concerns.checked = false;
        apply();
        document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
      }
    });
    form.hidden = false;
    apply();
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  };
  document.querySelectorAll(".lab-filter").forEach(filtered);

  // Two clients: the address says which.
  const compared = (form) => {
    const table = document.querySelector(".lab-compare");
    const names = [...table.tHead.rows[0].cells].map((cell) => cell.dataset.client);
    const { a, b } = form.elements;
    const count = form.querySelector("output");
    const asked = new URLSearchParams(location.search);
    const choose = (choice, wanted) => (choice.value = names.includes(wanted) ? wanted : names[1]);
    choose(a, asked.get("a") || "okhttp");
    choose(b, asked.get("b") || "ktor-cio");
    const apply = () => {
      const two = [a.value, b.value].map((name) => names.indexOf(name));
      let differ = 0;
      for (const row of table.rows) {
        [...row.cells].forEach((cell, i) => (cell.hidden = i > 0 && !two.includes(i)));
        if (row.parentElement === table.tHead) continue;
        const other = row.cells[two[0]].textContent !== row.cells[two[1]].textContent;
        row.classList.toggle("lab-differs", other);
        differ += other;
      }
      count.textContent = `${differ} of ${table.tBodies[0].rows.length} rows differ`;
    };
    form.addEventListener("change", () => {
      apply();
      history.replaceState(null, "", `?${new URLSearchParams({ a: a.value, b: b.value })}`);
    });
    form.hidden = false;
    apply();
  };
  document.querySelectorAll(".lab-two").forEach(compared);
})();
