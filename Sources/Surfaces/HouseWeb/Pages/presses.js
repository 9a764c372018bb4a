// Presses, from the way down to the click. Views stay as they are meanwhile: the click does what the user saw when pressing, and is
// not lost, as it would be if what is under the pointer were replaced.

const PRESSABLE = "button, a, label, input[type=checkbox]";
// Milliseconds; the end of a press may go to another window.
const LIMIT = 2000;
// The click of a tap follows its pointerup within this time.
const TAP_DELAY = 350;

let isPressed = false;
let timer = 0;
let waiting = [];

/** Calls back at once, or at the end of the present press. */
export function afterPress(callback) {
  if (isPressed) waiting.push(callback);
  else callback();
}

/** Ends the present press, for example as it becomes a drag. */
export function endPress() {
  clearTimeout(timer);
  isPressed = false;
  const callbacks = waiting;
  waiting = [];
  for (const callback of callbacks) callback();
}

function begin(event) {
  if (!event.target.closest?.(PRESSABLE)) return;
  isPressed = true;
  endAfter(LIMIT);
}

function endAfter(delay) {
  if (!isPressed) return;
  clearTimeout(timer);
  timer = setTimeout(endPress, delay);
}

const listeners = {
  pointerdown: (event) => event.button === 0 && begin(event),
  pointerup: (event) => endAfter(event.pointerType === "mouse" ? 0 : TAP_DELAY),
  pointercancel: () => endAfter(0),
  click: () => endAfter(0),
  keydown: (event) => event.key === " " && begin(event),
  keyup: () => endAfter(0),
};
for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener, true);
