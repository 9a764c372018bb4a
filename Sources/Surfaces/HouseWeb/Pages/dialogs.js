// Menus, questions and messages. All are <dialog> elements: the browser keeps the focus inside, and Escape closes.

import { h, icon, iconButton } from "./dom.js";
import { afterPress } from "./presses.js";

// The browser gives the focus back as it closes the dialog, before the "close" event.
function open(dialog, onClose) {
  document.body.append(dialog);
  // A selection of text that ends beside the dialog makes a click there as well.
  let isBeside = false;
  dialog.addEventListener("pointerdown", (event) => (isBeside = event.target === dialog));
  dialog.addEventListener("click", (event) => isBeside && event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose?.();
  });
  dialog.showModal();
}

/** Shows a sheet with a heading and a button that closes it. Returns the dialog. */
export function sheet(title, content) {
  const dialog = h(
    "dialog",
    { class: "ask sheet", "aria-labelledby": "sheet-title" },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id: "sheet-title", text: title }),
      iconButton("close", "Close", () => dialog.close()),
    ),
    ...content,
  );
  open(dialog);
  return dialog;
}

/**
 * Shows a menu beside an element, or as a sheet on a phone.
 *
 * @param items are { text, icon, run, isChosen, isDangerous, note } or null for a line between
 */
export function menu(anchor, title, items) {
  const buttons = [];
  const list = h("div", { role: "menu", "aria-label": title });
  for (const item of items) {
    if (!item) {
      list.append(h("div", { role: "separator" }));
      continue;
    }
    const hasChoice = item.isChosen !== undefined;
    const button = h(
      "button",
      {
        type: "button",
        role: hasChoice ? "menuitemradio" : "menuitem",
        "aria-checked": hasChoice ? String(item.isChosen) : null,
        class: item.isDangerous ? "dangerous" : null,
        on: {
          click: () => {
            dialog.close();
            item.run();
          },
        },
      },
      icon(item.icon ?? (item.isChosen ? "check" : "none"), 20),
      h("span", { text: item.text }),
      item.note && h("small", { text: item.note }),
    );
    buttons.push(button);
    list.append(button);
  }
  const dialog = h(
    "dialog",
    { class: "menu", "aria-label": title },
    h("p", { class: "menu-title", text: title }),
    list,
  );
  list.addEventListener("keydown", (event) => moveInMenu(event, buttons));
  open(dialog);
  placeBeside(dialog, anchor);
  (buttons.find((button) => button.getAttribute("aria-checked") === "true") ?? buttons[0])?.focus();
}

function moveInMenu(event, buttons) {
  const place = buttons.indexOf(document.activeElement);
  const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  buttons[(next + buttons.length) % buttons.length].focus();
}

function placeBeside(dialog, anchor) {
  const edge = anchor.getBoundingClientRect();
  const size = dialog.getBoundingClientRect();
  const below = edge.bottom + 6;
  const y = below + size.height < innerHeight - 8 ? below : Math.max(8, edge.top - size.height - 6);
  const x = Math.max(8, Math.min(edge.right - size.width, innerWidth - size.width - 8));
  dialog.style.setProperty("--x", `${x < edge.left - size.width ? edge.left : x}px`);
  dialog.style.setProperty("--y", `${y}px`);
}

/**
 * Asks for texts. Returns them by name, or null if the user cancelled.
 *
 * @param fields are { name, label, value, type, placeholder, hint, required }
 */
export function ask({ title, text, fields = [], confirm = "OK", isDangerous = false }) {
  return new Promise((resolve) => {
    let answer = null;
    const inputs = fields.map((field) =>
      h("input", {
        id: `ask-${field.name}`,
        name: field.name,
        type: field.type ?? "text",
        value: field.value ?? "",
        placeholder: field.placeholder,
        required: field.required !== false,
        autocomplete: field.type === "password" ? "current-password" : "off",
        maxlength: 500,
        "aria-describedby": field.hint ? `ask-${field.name}-hint` : null,
      }),
    );
    const form = h(
      "form",
      {
        method: "dialog",
        on: {
          submit: () => {
            answer = Object.fromEntries(inputs.map((input) => [input.name, valueOf(input)]));
          },
        },
      },
      h("h2", { id: "ask-title", text: title }),
      text && h("p", { text }),
      ...fields.map((field, i) =>
        h(
          "div",
          { class: "field" },
          h("label", { for: inputs[i].id, text: field.label }),
          inputs[i],
          field.hint && h("small", { id: `ask-${field.name}-hint`, text: field.hint }),
        ),
      ),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "plain", text: "Cancel", on: { click: () => dialog.close() } }),
        h("button", { type: "submit", class: isDangerous ? "primary dangerous" : "primary", text: confirm }),
      ),
    );
    const dialog = h("dialog", { class: "ask", "aria-labelledby": "ask-title" }, form);
    open(dialog, () => resolve(answer));
    inputs[0]?.focus();
    inputs[0]?.select();
  });
}

// A password may begin or end with a space.
function valueOf(input) {
  return input.type === "password" ? input.value : input.value.trim();
}

/** Shows the keys. `keys` are pairs of a key and its meaning. */
export function showHelp(keys, areKeysOn, onSwitch) {
  const box = h("input", { type: "checkbox", id: "keys-on", on: { change: () => onSwitch(box.checked) } });
  box.checked = areKeysOn;
  const rows = keys.map(([key, meaning]) =>
    h("div", {}, h("dt", {}, ...key.split(" ").map((name) => h("kbd", { text: name }))), h("dd", { text: meaning })),
  );
  const dialog = h(
    "dialog",
    { class: "ask help", "aria-labelledby": "help-title" },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id: "help-title", text: "Keys" }),
      iconButton("close", "Close", () => dialog.close()),
    ),
    h("dl", { class: "keys" }, ...rows),
    h("label", { class: "check", for: "keys-on" }, box, "Use single keys"),
  );
  open(dialog);
}

/** Shows a message for a while; `undo` adds a button. */
export function toast(text, { isError = false, undo = null } = {}) {
  const region = document.getElementById("toasts");
  const message = h(
    "div",
    { class: isError ? "toast error" : "toast" },
    isError && icon("warning", 20),
    h("span", { text }),
  );
  const end = () => message.remove();
  if (undo)
    message.append(
      h("button", {
        type: "button",
        text: "Undo",
        on: {
          click: () => {
            end();
            undo();
          },
        },
      }),
    );
  message.append(iconButton("close", "Dismiss", end));
  afterPress(() => {
    while (region.children.length > 2) region.firstElementChild.remove();
    region.append(message);
    setTimeout(() => afterPress(end), isError ? 9000 : 5000);
  });
}

window.addEventListener("tutti-toast", (event) => toast(event.detail.text, event.detail));
