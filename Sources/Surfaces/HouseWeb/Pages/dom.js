// Elements. Data from the house enters the page only through here, as text or as attribute values, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element. `on` holds listeners; `class`, `text` and all other names are attributes. Children are elements or texts. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "text") element.textContent = value;
    else if (name === "value") element.value = value;
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Sets a text only if it differs, so that nothing is laid out again in vain. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets an attribute only if it differs; removes it for null and false. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else {
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** Makes the children of `parent` those of `items`, in order, and keeps the element of each key. */
export function keyed(parent, items, keyOf, make, update) {
  const old = parent.keyedElements ?? new Map();
  const kept = new Map();
  const keys = new Set(items.map(keyOf));
  // First, so that those after a gone one stay where they are: an element that is inserted again loses the focus.
  for (const [key, element] of old) if (!keys.has(key)) element.remove();
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const element = old.get(key) ?? make(item);
    kept.set(key, element);
    update(element, item);
    if (element === place) place = place.nextElementSibling;
    else parent.insertBefore(element, place);
  }
  parent.keyedElements = kept;
}

/** Draws an icon of the table below; decorative, so the element around it carries the label. */
export function icon(name, size = 24) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24",
    width: size,
    height: size,
    "aria-hidden": "true",
    class: "icon",
  })) {
    svg.setAttribute(key, value);
  }
  drawIcon(svg, name);
  return svg;
}

/** Changes what an icon shows. */
export function drawIcon(svg, name) {
  if (svg.dataset.icon === name) return;
  svg.dataset.icon = name;
  svg.replaceChildren(
    ...(ICONS[name] ?? "").split("|").map((drawing) => {
      const path = document.createElementNS(SVG, "path");
      const isSolid = drawing.startsWith("*");
      path.setAttribute("d", isSolid ? drawing.slice(1) : drawing);
      path.setAttribute("class", isSolid ? "solid" : "line");
      return path;
    }),
  );
}

/** A button that shows only an icon; the label is read aloud and shown as a tooltip. */
export function iconButton(name, label, onClick, properties = {}) {
  const classes = `icon-button ${properties.class ?? ""}`;
  return h(
    "button",
    { type: "button", "aria-label": label, title: label, ...properties, class: classes, on: { click: onClick } },
    icon(name),
  );
}

/** A button with a small icon and a text. */
export function chip(name, text, onClick, properties = {}) {
  const all = { type: "button", class: "chip", ...properties, on: { click: onClick } };
  return h("button", all, icon(name, 18), h("span", { text }));
}

/** Changes label and icon of an iconButton. */
export function setButton(button, name, label) {
  setAttribute(button, "aria-label", label);
  setAttribute(button, "title", label);
  drawIcon(button.querySelector("svg"), name);
}

/** A picture with a drawn stand-in where there is none, or where it does not load. */
export function picture(className = "") {
  const image = h("img", { alt: "", decoding: "async", draggable: "false" });
  const box = h("span", { class: `picture ${className}` }, icon("note"), image);
  image.addEventListener("load", () => box.classList.add("loaded"));
  image.addEventListener("error", () => box.classList.remove("loaded"));
  return box;
}

/** Shows a picture by its address, or the stand-in for null. */
export function setPicture(box, address, isLive = false) {
  const image = box.lastElementChild;
  drawIcon(box.firstElementChild, isLive ? "radio" : "note");
  if (image.getAttribute("src") === address) return;
  box.classList.remove("loaded");
  if (address) image.src = address;
  else image.removeAttribute("src");
}

/** Shows a value on a range input, unless the user holds it. */
export function setRange(input, value) {
  input.latest = value;
  if (document.activeElement === input && input.dataset.held) return;
  if (input.value !== String(value)) input.value = String(value);
  fillRange(input);
}

/** Lets a range input keep the user's value until it is released. */
export function holdRange(input) {
  input.addEventListener("input", () => {
    input.dataset.held = "1";
    fillRange(input);
  });
  input.addEventListener("change", () => {
    delete input.dataset.held;
    // Another user may have set it meanwhile.
    requestAnimationFrame(() => setRange(input, input.latest));
  });
}

/** Fills the part of a range input left of its thumb. */
export function fillRange(input) {
  const part = (input.value - input.min) / (input.max - input.min);
  input.style.setProperty("--fill", `${(part * 100).toFixed(1)}%`);
}

/** Tells screen readers a sentence. */
export function announce(sentence) {
  const region = document.getElementById("announcer");
  region.textContent = "";
  requestAnimationFrame(() => (region.textContent = sentence));
}

// Lines are stroked; drawings that begin with * are filled. All on a field of 24 by 24.
const ICONS = {
  play: "*M8 5.2v13.6c0 .9 1 1.4 1.7.9l9.6-6.8c.6-.4.6-1.4 0-1.8L9.7 4.3C9 3.8 8 4.3 8 5.2z",
  pause:
    "*M7.5 4.5h2a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1z|*M14.5 4.5h2a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-2a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1z",
  next: "*M5 6.2v11.6c0 .8.9 1.3 1.6.8l8.2-5.8c.6-.4.6-1.2 0-1.6L6.6 5.4C5.9 4.9 5 5.4 5 6.2z|M18.5 5.5v13",
  previous:
    "*M19 6.2v11.6c0 .8-.9 1.3-1.6.8l-8.2-5.8c-.6-.4-.6-1.2 0-1.6l8.2-5.8c.7-.5 1.6 0 1.6.8z|M5.5 5.5v13",
  shuffle:
    "M3 7h2.5c2 0 3.3.9 4.5 2.8l3 4.4c1.2 1.9 2.5 2.8 4.5 2.8H21|M3 17h2.5c1.7 0 2.9-.6 4-2|M13.8 9c1-1.3 2.1-2 3.7-2H21|M18.5 4.5 21 7l-2.5 2.5|M18.5 14.5 21 17l-2.5 2.5",
  repeat:
    "M4 11.5V10a3.5 3.5 0 0 1 3.5-3.5H20|M17.5 4 20 6.5 17.5 9|M20 12.5V14a3.5 3.5 0 0 1-3.5 3.5H4|M6.5 20 4 17.5 6.5 15",
  repeatOne:
    "M4 11.5V10a3.5 3.5 0 0 1 3.5-3.5H20|M17.5 4 20 6.5 17.5 9|M20 12.5V14a3.5 3.5 0 0 1-3.5 3.5H4|M6.5 20 4 17.5 6.5 15|M11 11l1.3-1v4.2",
  volume:
    "*M4 9.5v5c0 .6.4 1 1 1h2.5l4 3.3c.6.5 1.5.1 1.5-.7V5.9c0-.8-.9-1.2-1.5-.7l-4 3.3H5c-.6 0-1 .4-1 1z|M16 9a4.2 4.2 0 0 1 0 6|M18.7 6.5a7.8 7.8 0 0 1 0 11",
  quiet: "*M4 9.5v5c0 .6.4 1 1 1h2.5l4 3.3c.6.5 1.5.1 1.5-.7V5.9c0-.8-.9-1.2-1.5-.7l-4 3.3H5c-.6 0-1 .4-1 1z",
  note: "M9 17.5V6.2l10-2v11.3|*M6.5 15a2.5 2.5 0 1 0 2.5 2.5V15z|*M16.5 13a2.5 2.5 0 1 0 2.5 2.5V13z",
  playing: "M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0|*M10.5 9v6l4.8-3z",
  queue: "M4 6.5h16|M4 12h10|M4 17.5h10|*M17 13.5v6l4.5-3z",
  library: "M5 4.5v15|M9.5 4.5v15|M13.5 5.5l4.5 14",
  rooms:
    "M7 4h10a1.5 1.5 0 0 1 1.5 1.5v13A1.5 1.5 0 0 1 17 20H7a1.5 1.5 0 0 1-1.5-1.5v-13A1.5 1.5 0 0 1 7 4z|M12 17a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z|*M12 8.3a1 1 0 1 0 0-2 1 1 0 0 0 0 2z",
  search: "M10.8 17.3a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z|M20 20l-4.5-4.5",
  more: "*M5 13.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z|*M12 13.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z|*M19 13.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  grip: "M5 9h14|M5 15h14",
  close: "M6.5 6.5l11 11|M17.5 6.5l-11 11",
  plus: "M12 5v14|M5 12h14",
  playNext: "M4 6.5h16|M4 17.5h8|M4 12h8|M17.5 11v9|M14 14.5l3.5-3.5 3.5 3.5",
  addEnd: "M4 6.5h16|M4 12h10|M4 17.5h7|M17.5 14v7|M14 17.5h7",
  replace: "M4 12a8 8 0 0 1 13.7-5.6L20 8.5|M20 4v4.5h-4.5|M20 12a8 8 0 0 1-13.7 5.6L4 15.5|M4 20v-4.5h4.5",
  moon: "M19.5 14.3A8 8 0 0 1 9.7 4.5a8 8 0 1 0 9.8 9.8z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z|M12 3v1.5|M12 19.5V21|M3 12h1.5|M19.5 12H21|M5.6 5.6l1.1 1.1|M17.3 17.3l1.1 1.1|M5.6 18.4l1.1-1.1|M17.3 6.7l1.1-1.1",
  auto: "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z|*M12 4a8 8 0 0 1 0 16z",
  help: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z|M9.7 9.5a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.2.9-1.2 1.8|*M12 17.6a1 1 0 1 0 0-2 1 1 0 0 0 0 2z",
  down: "M6.5 9.5 12 15l5.5-5.5",
  back: "M14.5 6.5 9 12l5.5 5.5",
  radio:
    "M8.5 15.5a5 5 0 0 1 0-7|M15.5 8.5a5 5 0 0 1 0 7|M5.5 18.5a9.2 9.2 0 0 1 0-13|M18.5 5.5a9.2 9.2 0 0 1 0 13|*M12 13.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  folder:
    "M3.5 7.5v10A1.5 1.5 0 0 0 5 19h14a1.5 1.5 0 0 0 1.5-1.5v-8A1.5 1.5 0 0 0 19 8h-7l-2-2.5H5A1.5 1.5 0 0 0 3.5 7z",
  list: "M8.5 6.5H20|M8.5 12H20|M8.5 17.5H20|*M5 7.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2z|*M5 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2z|*M5 18.5a1 1 0 1 0 0-2 1 1 0 0 0 0 2z",
  plug: "M8.5 3.5v4|M15.5 3.5v4|M6.5 7.5h11v3.5a5.5 5.5 0 0 1-11 0z|M12 16.5v4",
  unplugged: "M8.5 3.5v3|M15.5 3.5v3|M6.5 9.5h11|M7 12.5a5.5 5.5 0 0 0 10 0|M12 17.5v3|M4 4l16 16",
  edit: "M5 19l.8-3.8L15.6 5.4a1.8 1.8 0 0 1 2.6 0l.4.4a1.8 1.8 0 0 1 0 2.6L8.8 18.2z|M13.8 7.2l3 3",
  trash: "M4.5 7h15|M9.5 7V4.5h5V7|M6.5 7l.8 12.5h9.4L17.5 7|M10.3 11v5|M13.7 11v5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4.5 21 19.5H3z|M12 10v4.5|*M12 17.8a.9.9 0 1 0 0-1.8.9.9 0 0 0 0 1.8z",
  lock: "M6.5 11h11v8.5h-11z|M8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  move: "M4 8h13|M13.5 4.5 17 8l-3.5 3.5|M20 16H7|M10.5 12.5 7 16l3.5 3.5",
  speed: "M4.5 17.5a8.5 8.5 0 1 1 15 0|M12 14.5l4-5",
  alarm:
    "M12 20.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15z|M12 9v4.2l2.6 1.6|M4 6.5 6.8 4|M20 6.5 17.2 4",
  megaphone: "M4 10v4.5h3.5l8.5 4V6L7.5 10z|M19 9.5a4 4 0 0 1 0 5.5|M8 14.5l1 5h2.5l-1-4.2",
  equalizer: "M6 4v7|M6 15v5|M12 4v2|M12 10v10|M18 4v10|M18 18v2|M4 13h4|M10 8h4|M16 16h4",
  save: "M5 4.5h11l3.5 3.5v11.5h-15V5z|M8 4.5v5h7v-5|M8 19.5v-6h8v6",
  settings:
    "M4 7.5h9|M17 7.5h3|M15 9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z|M4 16.5h3|M11 16.5h9|M9 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
};
