// The script of the report: it filters, sorts and opens rules. Text from data is only ever set as textContent.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const CHUNK = 60, MOST_PRINTED = 2000, MOST_COLUMNS = 24;
  const [EXAMPLES, VIOLATIONS, CHANCE, PRICE, NATS, CONFIDENCE, EXPECTED, BOUND] = [0, 1, 2, 3, 4, 5, 6, 7];
  const byId = (id) => document.getElementById(id);
  const search = byId("search"), kind = byId("kind"), column = byId("column"), origin = byId("origin");
  const confidence = byId("confidence"), sort = byId("sort"), list = byId("list"), more = byId("more");
  const clear = byId("clear"), count = byId("count");
  const rules = data.rules;
  const lower = rules.map((rule) => rule.text.toLowerCase());
  const place = new Map(rules.map((rule, k) => [rule.id, k]));
  const number = (n) => n.toLocaleString("en");
  const plural = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;

  function make(tag, name, text) {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function percent(share) {
    if (share === 0) return "0\u00a0%";
    if (share >= 1) return "100\u00a0%";
    if (share > 0.9999) return "over 99.99\u00a0%";
    if (share < 0.0001) return "under 0.01\u00a0%";
    return `${+(100 * share).toPrecision(share > 0.99 ? 4 : 3)}\u00a0%`;
  }

  const sure = (share, over = "> ") => (share > 0.9999 ? `${over}99.99\u00a0%` : percent(share));
  const approximate = (x) => (x >= 100 ? number(Math.round(x)) : String(+x.toPrecision(2)));

  // Filters

  function options(select, pairs) {
    for (const [value, text] of pairs) {
      const option = make("option", "", text);
      option.value = value;
      select.append(option);
    }
  }

  function tally(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
    return counts;
  }

  function fillFilters() {
    const kinds = [...tally(rules.map((rule) => rule.kind))].sort((a, b) => b[1] - a[1]);
    options(kind, kinds.map(([value, n]) => [value, `${data.kinds[value][0]} (${number(n)})`]));
    const columns = [...tally(rules.flatMap((rule) => [...new Set(rule.columns)]))].sort((a, b) => a[0] - b[0]);
    options(column, columns.map(([value, n]) => [value, `${clip(data.fields[value], 40)} (${number(n)})`]));
    const origins = [...tally(rules.map((rule) => rule.origin))];
    options(origin, origins.map(([value, n]) => [value, `${value} (${number(n)})`]));
    origin.parentElement.hidden = origins.length < 2;
    options(confidence, [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999].map((x) => [x, `at least ${+(100 * x).toFixed(2)} %`]));
  }

  const clip = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const evidenceOf = (rule, what, none) => (rule.evidence ? rule.evidence[what] : none);
  const collator = new Intl.Collator("en", { numeric: true });
  const ORDERS = {
    use: (a, b) => a - b,
    confidence: (a, b) => evidenceOf(rules[b], NATS, Infinity) - evidenceOf(rules[a], NATS, Infinity) || a - b,
    support: (a, b) => rules[b].support - rules[a].support || a - b,
    text: (a, b) => collator.compare(rules[a].text, rules[b].text) || a - b,
  };

  function matchingRules() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const least = Number(confidence.value), field = column.value === "" ? null : Number(column.value);
    const matching = [];
    rules.forEach((rule, k) => {
      if (kind.value && rule.kind !== kind.value) return;
      if (origin.value && rule.origin !== origin.value) return;
      if (field !== null && !rule.columns.includes(field)) return;
      if (least > 0 && evidenceOf(rule, CONFIDENCE, 1) < least) return;
      if (!words.every((word) => lower[k].includes(word) || rule.id === word)) return;
      matching.push(k);
    });
    return matching.sort(ORDERS[sort.value]);
  }

  const filtered = () => Boolean(search.value || kind.value || column.value || origin.value || Number(confidence.value));

  // The list, which grows as the reader scrolls

  let shown = [], rendered = 0;
  const strongest = Math.max(1, ...rules.slice(0, 20000).map((rule) => evidenceOf(rule, NATS, 0)));

  function refresh() {
    shown = matchingRules();
    rendered = 0;
    list.replaceChildren();
    count.textContent = shown.length === rules.length
      ? (rules.length ? plural(rules.length, "rule") : "No rules were found in this data.")
      : `${number(shown.length)} of ${plural(rules.length, "rule")}`;
    clear.hidden = !filtered();
    grow(CHUNK);
    markChosenColumn();
  }

  function grow(by) {
    const part = document.createDocumentFragment();
    for (const k of shown.slice(rendered, rendered + by)) part.append(item(k));
    rendered = Math.min(shown.length, rendered + by);
    list.append(part);
    more.hidden = more.parentElement.hidden = rendered >= shown.length;
    more.textContent = `Show more (${number(shown.length - rendered)} left)`;
  }

  function item(k) {
    const rule = rules[k];
    const row = make("li", `k-${data.kinds[rule.kind][1]}`);
    row.id = `rule-${rule.id}`;
    const head = make("button", "head");
    head.type = "button";
    head.setAttribute("aria-expanded", "false");
    const text = make("span", "text", rule.text);
    text.dir = "auto";
    head.append(make("span", "kind", data.kinds[rule.kind][0]), text, meta(rule));
    head.addEventListener("click", () => toggle(row, k));
    head.addEventListener("pointerenter", () => mark(rule.columns));
    head.addEventListener("pointerleave", restore);
    row.append(head);
    return row;
  }

  function meta(rule) {
    const box = make("span", "meta");
    if (rule.evidence) {
      const noisy = rule.evidence[VIOLATIONS] ? ", noisy" : "";
      box.append(make("span", "", rule.together ? "with others" : sure(rule.evidence[CONFIDENCE]) + noisy));
      const bar = make("span", "strength"), fill = make("i");
      fill.style.width = `${Math.max(3, 100 * Math.log1p(Math.max(0, rule.evidence[NATS])) / Math.log1p(strongest))}%`;
      bar.append(fill);
      box.append(bar);
    } else {
      box.append(make("span", "", rule.origin));
    }
    box.title = `It is about ${plural(rule.support, data.noun)}`;
    return box;
  }

  let opened = null; // the open rule: its columns stay marked

  function toggle(row, k) {
    const head = row.querySelector(".head"), open = head.getAttribute("aria-expanded") !== "true";
    head.setAttribute("aria-expanded", String(open));
    row.classList.toggle("open", open);
    let detail = row.querySelector(".detail");
    if (open && !detail) {
      detail = details(rules[k]);
      detail.id = `detail-${rules[k].id}`;
      head.setAttribute("aria-controls", detail.id);
      row.append(detail);
    }
    if (detail) detail.hidden = !open;
    opened = open ? k : null;
    restore();
    if (open) history.replaceState(null, "", `#rule-${rules[k].id}`);
  }

  // The details of one rule

  function details(rule) {
    const box = make("div", "detail");
    box.append(...evidence(rule));
    if (rule.rows) box.append(make("h3", "", rule.rows === 1 ? "As a linear row" : `As ${rule.rows} linear rows`), lines(rule));
    if (rule.shows.length) box.append(make("h3", "", `Some ${data.noun}s it is about`), rows(rule, rule.shows, data.seen, "seen"));
    if (rule.breaks) box.append(make("h3", "", "Suspects that break it"), rows(rule, rule.breaks, data.suspects, "at row"));
    box.append(chips(rule));
    return box;
  }

  function evidence(rule) {
    const share = data.total ? rule.support / data.total : 0;
    const facts = [["Is about", `${plural(rule.support, data.noun)}, ${percent(share)} of all`]];
    const words = [];
    if (!rule.evidence) {
      words.push(rule.origin === "given" ? "A person gave this rule, so it has no evidence from the data." : "This rule has no evidence from the data.");
    } else {
      const e = rule.evidence;
      const outcome = e[VIOLATIONS] ? `${number(e[EXAMPLES] - e[VIOLATIONS])} obey it, ${number(e[VIOLATIONS])} break it` : "all obey it";
      const each = e[EXAMPLES] === data.distinct && data.distinct < data.total ? `distinct ${data.noun}` : data.noun;
      facts.unshift(["Tested on", `${plural(e[EXAMPLES], each)}: ${outcome}`]);
      facts.push(["By chance", `${percent(e[CHANCE])} of random ${data.noun}s would obey it; about ${approximate(e[EXPECTED])} would break it`]);
      const confident = rule.together ? "by itself it could be an accident" : sure(e[CONFIDENCE], "over ");
      facts.push(["Confidence", confident + odds(e[NATS])]);
      facts.push(["In future", e[BOUND] >= 1 ? "too few examples for a bound" : `at most ${percent(e[BOUND])} of new ${data.noun}s break it (with 95\u00a0% confidence, for all rules at once)`]);
      if (rule.together) words.push("It is kept as one of the equalities that all examples obey together.");
      if (rule.rows > 1) words.push("These numbers are for the weakest of its linear rows.");
    }
    if (rule.origin !== "mined") facts.push(["Origin", rule.origin]);
    const table = make("dl", "facts-of");
    for (const [name, value] of facts) table.append(make("dt", "", name), make("dd", "", value));
    return [table, ...words.map((text) => make("p", "hint", text))];
  }

  const raised = (power) => [...String(power)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");

  function odds(nats) {
    const tens = nats / Math.LN10;
    if (tens < 1) return "";
    return tens < 6 ? `; an accident has odds below 1 to ${number(Math.floor(10 ** tens))}` : `; an accident has odds below 1 to 10${raised(Math.floor(tens))}`;
  }

  const bracketed = (name) => (/^[\p{L}\p{N}_.]+$/u.test(name) ? name : `[${name}]`);

  function lines(rule) {
    const box = make("div", "lines");
    for (const line of rule.lines) {
      const terms = [];
      for (let k = 2; k < line.length; k += 2) {
        const factor = line[k + 1], size = Math.abs(factor) === 1 ? "" : `${Math.abs(factor)}·`;
        const sign = factor < 0 ? "−" : terms.length ? "+" : "";
        terms.push(`${sign}${sign && terms.length ? " " : ""}${size}${bracketed(data.variables[line[k]])}`);
      }
      box.append(make("div", "", `${terms.join(" ") || "0"} ${line[0] ? "=" : "≤"} ${String(line[1]).replace("-", "−")}`));
    }
    const rest = rule.rows - rule.lines.length;
    if (rest) box.append(make("div", "hint", rule.lines.length ? `and ${number(rest)} more` : "Left out to keep this page small."));
    return box;
  }

  // Two columns to show beside those of a rule: the ones linked with it most, else the first of the table
  function beside(own) {
    const others = [];
    for (const c of [...own.flatMap((c) => data.near[c]), ...data.fields.keys()]) {
      if (others.length === 2) break;
      if (!own.includes(c) && !others.includes(c)) others.push(c);
    }
    return others;
  }

  function rows(rule, places, pool, heading) {
    const own = [...new Set(rule.columns)].slice(0, MOST_COLUMNS), other = own.length < 8 ? beside(own) : [];
    const table = make("table", "sample"), head = make("tr"), top = make("thead"), body = make("tbody");
    const title = (text, name) => {
      const cell = make("th", name, text);
      cell.scope = "col";
      cell.title = text;
      return cell;
    };
    head.append(...own.map((c) => title(data.fields[c], "own")), ...other.map((c) => title(data.fields[c], "other")), title(heading, "other"));
    top.append(head);
    for (const at of places) {
      const line = make("tr");
      for (const c of [...own, ...other]) {
        const code = pool.rows[at][c], text = code === undefined ? "" : pool.values[c][code];
        const cell = make("td", own.includes(c) ? "own" : "other", text);
        cell.title = text;
        cell.dir = "auto";
        line.append(cell);
      }
      const n = pool.numbers[at];
      line.append(make("td", "other", pool === data.seen ? (n === 1 ? "once" : `${number(n)} times`) : number(n)));
      body.append(line);
    }
    table.append(top, body);
    const box = make("div", "scroll");
    box.tabIndex = 0;
    box.append(table);
    const rest = new Set(rule.columns).size - own.length;
    if (rest > 0) box.append(make("p", "hint", `and ${number(rest)} more`));
    return box;
  }

  function chips(rule) {
    const box = make("div", "chips");
    box.append(make("span", "", "All rules of"));
    for (const c of [...new Set(rule.columns)].slice(0, MOST_COLUMNS)) {
      const chip = make("button", "", data.fields[c]);
      chip.type = "button";
      chip.title = data.fields[c];
      chip.addEventListener("click", () => filterBy(c));
      box.append(chip);
    }
    const link = make("a", "", `#${rule.id}`);
    link.href = `#rule-${rule.id}`;
    link.title = "Link to this rule";
    box.append(link);
    return box;
  }

  // The pictures: nodes of the network or matrix, and cells of grids

  const spots = new Map(); // the elements that show a column, by column
  const cells = [...document.querySelectorAll(".cell")], nodes = [...document.querySelectorAll(".node")];
  const edges = [...document.querySelectorAll(".network .edge")], picture = document.querySelector(".network");
  const columnsOf = (element) => (element.dataset.columns || element.dataset.column || "").split(" ").filter(Boolean).map(Number);
  for (const element of [...cells, ...nodes]) {
    for (const c of columnsOf(element)) spots.set(c, [...(spots.get(c) || []), element]);
  }
  const neighbours = new Map();
  function around(c) {
    if (!neighbours.has(c)) {
      const linked = new Set();
      for (const rule of rules) if (rule.columns.includes(c)) rule.columns.forEach((other) => linked.add(other));
      neighbours.set(c, linked);
    }
    return neighbours.get(c);
  }

  function mark(columns, close = []) {
    for (const element of document.querySelectorAll(".on, .near")) element.classList.remove("on", "near");
    for (const c of close) for (const element of spots.get(c) || []) element.classList.add("near");
    const set = new Set(columns);
    for (const c of set) {
      for (const element of spots.get(c) || []) {
        element.classList.remove("near");
        element.classList.add("on");
      }
    }
    if (!picture) return;
    picture.classList.toggle("dim", set.size > 0);
    for (const edge of edges) {
      const a = set.has(Number(edge.dataset.a)), b = set.has(Number(edge.dataset.b));
      edge.classList.toggle("on", set.size === 1 ? a || b : a && b);
    }
  }

  function aroundAll(columns) {
    const close = new Set();
    for (const c of columns) for (const other of around(c)) close.add(other);
    return close;
  }

  function restore() {
    if (opened !== null) mark(rules[opened].columns);
    else if (column.value !== "") mark([Number(column.value)], around(Number(column.value)));
    else mark([]);
  }

  function markChosenColumn() {
    opened = null;
    restore();
  }

  function filterBy(c) {
    if (![...column.options].some((option) => option.value === String(c))) return;
    column.value = column.value === String(c) ? "" : String(c);
    refresh();
    const top = byId("rules").getBoundingClientRect();
    if (top.bottom < 80 || top.top > innerHeight - 80) byId("rules").scrollIntoView();
  }

  for (const element of [...cells, ...nodes]) {
    const own = columnsOf(element);
    const go = () => filterBy(own.find((c) => around(c).size) ?? own[0]);
    element.addEventListener("click", go);
    element.addEventListener("pointerenter", () => mark(own, aroundAll(own)));
    element.addEventListener("pointerleave", restore);
    if (element.tagName === "BUTTON") continue;
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      go();
    });
  }
  for (const button of document.querySelectorAll("[data-filter]")) {
    button.addEventListener("click", () => filterBy(Number(button.dataset.filter)));
  }

  // Links to one rule

  function visit() {
    if (!location.hash.startsWith("#rule-")) return;
    const k = place.get(decodeURIComponent(location.hash.slice(6)));
    if (k === undefined) return;
    if (!shown.includes(k)) reset();
    const at = shown.indexOf(k);
    if (at >= rendered) grow(at + 1 - rendered);
    const row = byId(`rule-${rules[k].id}`);
    if (!row.classList.contains("open")) toggle(row, k);
    row.scrollIntoView({ block: "center", behavior: "instant" });
  }

  function reset() {
    search.value = kind.value = column.value = origin.value = "";
    confidence.value = "0";
    refresh();
  }

  document.querySelector(".controls").addEventListener("submit", (event) => event.preventDefault());
  for (const control of [search, kind, column, origin, confidence, sort]) control.addEventListener("input", refresh);
  clear.addEventListener("click", () => { reset(); search.focus(); });
  more.addEventListener("click", () => grow(CHUNK));
  new IntersectionObserver((seen) => {
    if (seen.some((entry) => entry.isIntersecting) && !more.hidden) grow(CHUNK);
  }, { rootMargin: "300px" }).observe(more);
  addEventListener("hashchange", visit);
  addEventListener("beforeprint", () => grow(MOST_PRINTED));
  fillFilters();
  document.querySelector(".controls").hidden = rules.length === 0;
  refresh();
  visit();
})();
