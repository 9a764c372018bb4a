// Requests to the house. Every answer is data; the views insert it as text only.

const BASE = "/api/v1";
// A server that is gone without a sign never answers, nor refuses.
const TIME_LIMIT = 35_000;
const UPLOAD_LIMIT = 125_000;
// A request on a connection that is dead without a sign holds up the next ones this long.
const PATIENCE = 3000;

/** A request that was refused or not answered; `message` is a sentence for the user. */
export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Returns the query part of an address; leaves out what is not set. */
function queryOf(fields = {}) {
  // A list is a parameter that is repeated.
  const all = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  const set = all.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return set.length ? "?" + new URLSearchParams(set) : "";
}

async function problemOf(response) {
  const problem = await response.json().catch(() => ({}));
  const detail = typeof problem.detail === "string" ? problem.detail : `The house answered with status ${response.status}.`;
  return new ApiError(response.status, problem.code ?? "unknown", detail);
}

/** Sends a request and returns the decoded answer. Throws an ApiError. */
export async function request(method, path, body, fields) {
  let response;
  try {
    response = await fetch(BASE + path + queryOf(fields), {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
  } catch {
    throw new ApiError(0, "offline", "The house does not answer. Is “tutti serve” running?");
  }
  if (response.ok) return response.status === 204 ? {} : response.json();
  const problem = await problemOf(response);
  if (response.status === 401) window.dispatchEvent(new CustomEvent("tutti-access"));
  throw problem;
}

/** Sends a file and returns the decoded answer. Throws an ApiError. */
export async function upload(path, file, fields) {
  let response;
  try {
    response = await fetch(BASE + path + queryOf(fields), {
      method: "POST",
      headers: { "Content-Type": file.type.startsWith("audio/") ? file.type : "application/octet-stream" },
      body: file,
      signal: AbortSignal.timeout(UPLOAD_LIMIT),
    });
  } catch {
    throw new ApiError(0, "offline", "The file could not be sent. Is it smaller than 32 MB, and is “tutti serve” running?");
  }
  if (response.ok) return response.json();
  if (response.status === 401) window.dispatchEvent(new CustomEvent("tutti-access"));
  throw await problemOf(response);
}

export const get = (path, fields) => request("GET", path, undefined, fields);
export const post = (path, body = {}) => request("POST", path, body);
export const put = (path, body) => request("PUT", path, body);
export const patch = (path, body) => request("PATCH", path, body);
export const remove = (path) => request("DELETE", path);

export const zonePath = (zone, rest = "") => `/zones/${zone}${rest}`;
export const roomPath = (room, rest = "") => `/rooms/${encodeURIComponent(room)}${rest}`;
export const eventsAddress = (after) => `${BASE}/events${queryOf({ after })}`;

/** Returns the address of a picture: one of the library by its id, or one of a station by its web address. */
export function pictureAddress(picture) {
  if (!picture) return null;
  if (/^https?:\/\//.test(picture)) return picture;
  return `${BASE}/pictures/${encodeURIComponent(picture)}`;
}

/** Sends requests one at a time, in the order in which they were made: over several connections they might pass each other. */
export class InOrder {
  #isBusy = false;
  #waiting = [];

  /** Sends in turn. Of requests with the same key that wait in a row, such as the values of a slider, only the latest is sent. */
  run(send, key = null) {
    return new Promise((resolve, reject) => {
      if (key !== null && this.#waiting.at(-1)?.key === key) this.#waiting.pop().resolve(null);
      this.#waiting.push({ send, key, resolve, reject });
      if (!this.#isBusy) this.#drain();
    });
  }

  async #drain() {
    this.#isBusy = true;
    while (this.#waiting.length) {
      const { send, resolve, reject } = this.#waiting.shift();
      const sent = send().then(resolve, reject);
      await Promise.race([sent, new Promise((next) => setTimeout(next, PATIENCE))]);
    }
    this.#isBusy = false;
  }
}
