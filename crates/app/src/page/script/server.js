// Asking the server.

/** What went wrong, and what to do about it. */
export class Trouble extends Error {
  constructor(error, hint) {
    super(error);
    this.hint = hint;
  }
}

async function answered(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Trouble("oslow does not answer.", "start `oslow app` again, and open the link that it prints; nothing is lost");
  }
  const told = await response.json();
  if (!response.ok) throw new Trouble(told.error, told.hint);
  return told;
}

export function get(path) {
  return answered(path);
}

export function post(path, value = {}, options = {}) {
  return answered(path, { ...options, method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
}

export function upload(file) {
  const headers = { "Content-Type": "application/octet-stream" };
  return answered(`/api/tables?name=${encodeURIComponent(file.name)}`, { method: "POST", headers, body: file });
}
