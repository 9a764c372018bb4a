// The search of the documentation. Works on pages that were opened from a file: the index is a script, which is loaded
// when the field is first used.
"use strict";

(() => {
  const form = document.getElementById("search");
  const field = form.querySelector("input");
  const list = form.querySelector("ul");
  const root = document.documentElement.dataset.root;
  const mostResults = 30;
  let entries = null;
  let chosen = -1;

  form.hidden = false;

  function loadIndex() {
    if (entries) return;
    entries = [];
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = () => {
      const index = window.searchIndex;
      entries = index.entries.map(([title, kind, page, anchor, text]) => ({
        title, text, kind: index.kinds[kind],
        address: root + index.pages[page].split("/").map(encodeURIComponent).join("/") +
          (anchor ? "#" + encodeURIComponent(anchor) : ""),
        lowTitle: title.toLowerCase(), lowText: text.toLowerCase(),
        // "AVQueuePlayer" is found as "queue player", too.
        apart: title.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z])([A-Z][a-z])/g, "$1 $2").toLowerCase(),
        isPage: !anchor, name: title.toLowerCase().replace(/^.*\./, "").replace(/\(.*/, ""),
      }));
      show();
    };
    document.head.append(script);
  }

  // How well an entry fits; 0 if a word is missing.
  function score(entry, words, phrase) {
    let sum = 0;
    for (const word of words) {
      const at = entry.lowTitle.indexOf(word);
      if (at >= 0) sum += at === 0 || /[^a-z0-9]/.test(entry.lowTitle[at - 1]) ? 12 : 6;
      else if (entry.lowText.includes(word)) sum += 1;
      else return 0;
    }
    if (entry.lowTitle === phrase) sum += 40;
    else if (entry.name === phrase) sum += 24;
    else if (entry.lowTitle.startsWith(phrase)) sum += 8;
    else if (words.length > 1 && entry.apart.includes(phrase)) sum += 16;
    if (entry.isPage) sum += 1;
    return sum - Math.min(entry.title.length, 100) / 50;
  }

  function excerpt(entry, words) {
    const at = Math.max(0, ...words.map((word) => entry.lowText.indexOf(word)));
    const start = at < 60 ? 0 : entry.text.indexOf(" ", at - 50) + 1;
    return (start ? "… " : "") + entry.text.slice(start, start + 140);
  }

  function show() {
    const phrase = field.value.trim().toLowerCase();
    const words = phrase.split(/\s+/).filter(Boolean);
    const found = words.length === 0 ? [] : entries
      .map((entry) => [score(entry, words, phrase), entry])
      .filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0])
      .slice(0, mostResults)
      .map(([, entry]) => entry);
    list.replaceChildren(...found.map((entry, number) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      item.id = "result" + number;
      item.setAttribute("role", "option");
      link.href = entry.address;
      link.tabIndex = -1;
      for (const [name, text] of [["title", entry.title], ["kind", entry.kind], ["text", excerpt(entry, words)]]) {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = text;
        link.append(part);
      }
      item.append(link);
      return item;
    }));
    if (words.length && !found.length && entries.length) {
      const item = document.createElement("li");
      item.className = "nothing";
      item.textContent = "Nothing found";
      list.append(item);
    }
    open(words.length > 0 && list.children.length > 0);
    choose(-1);
  }

  function open(isOpen) {
    list.hidden = !isOpen;
    field.setAttribute("aria-expanded", isOpen);
  }

  function choose(number) {
    const items = list.querySelectorAll("[role=option]");
    items.forEach((item, index) => item.setAttribute("aria-selected", index === number));
    chosen = number;
    if (items[number]) {
      items[number].scrollIntoView({ block: "nearest" });
      field.setAttribute("aria-activedescendant", items[number].id);
    } else field.removeAttribute("aria-activedescendant");
  }

  field.addEventListener("focus", () => { loadIndex(); if (field.value) show(); });
  field.addEventListener("input", () => { loadIndex(); show(); });
  field.addEventListener("keydown", (event) => {
    const links = list.querySelectorAll("a");
    if (event.key === "ArrowDown") choose(Math.min(chosen + 1, links.length - 1));
    else if (event.key === "ArrowUp") choose(Math.max(chosen - 1, -1));
    else if (event.key === "Escape") { open(false); field.blur(); }
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const link = list.querySelectorAll("a")[Math.max(chosen, 0)];
    if (link) { open(false); location.href = link.href; }
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target) || event.target.closest("a")) open(false); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    field.focus();
  });
})();
