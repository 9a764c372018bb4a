// Times, counts and states in words.

/** Writes seconds as 3:05 or 1:02:03. */
export function clock(seconds) {
  if (!Number.isFinite(seconds)) return "–:––";
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    String(whole % 60).padStart(2, "0"),
  ];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Writes seconds for reading aloud: 3 minutes 5 seconds. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor(whole / 60) % 60, "minute"],
    [whole % 60, "second"],
  ];
  return parts
    .filter(([n], i) => n || (i === 2 && whole < 60))
    .map(([n, unit]) => count(n, unit))
    .join(" ");
}

/** Writes a length roughly: 48 min, 2 h 5 min. */
export function span(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

export function joined(...parts) {
  return parts.filter((part) => part !== undefined && part !== null && part !== "").join(" · ");
}

const ROOM_STATES = {
  idle: "Idle",
  connecting: "Connecting…",
  ready: "Ready",
  playing: "Playing",
  starved: "Playing from its buffer",
  lost: "No sound",
};

/** Says what a room does, and its model; a room that plays needs no word for it. */
export function roomNote(room) {
  const isUsual = room.isPresent && room.state === "playing" && room.model;
  return isUsual ? room.model : joined(roomState(room), room.model);
}

/** Says what a room does. */
export function roomState(room) {
  if (!room.isPresent) return "Not on the network";
  if (room.needsPassword && room.zone !== undefined) return "Needs a password";
  return ROOM_STATES[room.state] ?? room.state;
}

/** Says what is wrong with a room; undefined if nothing is known to be. */
export function roomTrouble(room) {
  if (room.trouble) return room.trouble.message;
  if (room.session?.isFallback) return `Buffers two seconds instead of minutes: ${room.session.reason}.`;
}

/** Says how sound reaches a room, for those who want to know. */
export function roomSession(room) {
  if (!room.session) return undefined;
  const ahead = room.session.stream === "buffered" ? "minutes ahead" : "two seconds ahead";
  return `${ahead}, because ${room.session.reason}`;
}

const ZONE_STATES = { stopped: "Stopped", playing: "Playing", paused: "Paused", waiting: "Waiting" };

export function zoneState(zone) {
  return ZONE_STATES[zone.state] ?? zone.state;
}

/** Titles are never empty, so that a row can be seen and pressed. */
export function titleOf(track) {
  return track.title?.trim() || track.location?.split("/").pop() || "Untitled";
}
