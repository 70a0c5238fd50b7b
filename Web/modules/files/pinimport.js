// Pins of a file: it is sent and read once, which says what is in it; then one imports it, and can take that back.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { change, read } from "../server/api.js";
import { knownLists, loadLists } from "../lists/lists.js";
import { refreshTracks } from "../tracks/tracks.js";
import { notice, reasonOf, say } from "../ground/notices.js";
import { stream } from "../server/stream.js";
import { base64 } from "../server/upload.js";
import { t, tn } from "../ground/text.js";
import { placeUnplaced } from "./unplaced.js";

const SERVICE = "pins.v1.PinFileService";
const PART = 512 * 1024;
const LARGEST = 128 * 1024 * 1024;
// Larger texts are packed before they are sent, which makes them a tenth.
const WORTHWHILE = 1024 * 1024;
// How often a reading that was cut off goes on, and after how many milliseconds.
const TRIES = 8;
const PAUSE = 1500;
const AGAIN = new Set(["unavailable", "aborted", "deadline_exceeded", "resource_exhausted", "unknown"]);
// What a file is called that can be imported.
export const ENDINGS = ".gpx,.kml,.kmz,.geojson,.geojsonl,.ndjson,.json,.csv,.tsv,.txt,.zip,.gz";

export function importPins(file) {
  const title = el("h2", {}, file.name);
  const text = el("p", { class: "quiet" });
  const bar = el("div");
  const line = el("div", { class: "album-progress", role: "progressbar", "aria-label": t("Import") }, bar);
  const list = el("ul", { class: "import-bad" });
  const outcome = el("p", { class: "form-outcome", role: "alert" });
  const go = el("button", { class: "button primary", type: "button", hidden: true, onclick: run }, t("Import"));
  const cancel = el("button", { class: "button", type: "button", onclick: () => close(true) }, t("Cancel"));
  const dialog = el(
    "dialog", { class: "login import", "aria-label": t("Pins of {file}", { file: file.name }) },
    el(
      "div", { class: "login-content" }, el("div", { class: "login-mark" }, icon("drop")), title, text, line, list,
      outcome, el("div", { class: "form-foot" }, go, cancel),
    ),
  );
  let id;
  let isRunning = false;
  let isClosed = false;

  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close(true);
  });
  dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  look();

  // What is in it.
  async function look() {
    try {
      if (file.size === 0) throw new Error(t("It is empty."));
      setText(text, t("Sending…"));
      await send();
      if (isClosed) return;
      setText(text, t("Reading…"));
      const bad = [];
      const found = await reading(true, { bad: (each) => bad.push(each) });
      if (!isClosed) preview(found, bad);
    } catch (error) {
      fail(error);
    }
  }

  async function send() {
    const bytes = await packed(file, () => isClosed);
    if (!bytes || isClosed) return;
    const begun = await change(`${SERVICE}/StartPinImport`, { fileName: file.name, byteCount: String(bytes.length) });
    id = begun.import.id;
    // It was closed when there was nothing to take back yet.
    if (isClosed) return forget();
    let sent = 0;
    while (sent < bytes.length && !isClosed) {
      draw(sent / bytes.length);
      const data = base64(bytes.subarray(sent, sent + PART));
      const answer = await read(`${SERVICE}/AddPinImportPart`, { id, offset: String(sent), data });
      const received = Number(answer.receivedByteCount ?? 0);
      if (!(received > sent)) throw new Error(t("The server did not take the bytes."));
      sent = received;
    }
    draw(1);
  }

  function preview(found, bad) {
    line.hidden = true;
    setText(text, sentenceOf(found));
    replace(list, bad.map((each) => el("li", {}, `${placeOf(each)}: ${each.reason}`)));
    go.hidden = false;
    go.focus();
    say(text.textContent);
  }

  async function run() {
    [go.hidden, line.hidden, isRunning] = [true, false, true];
    setText(outcome, "");
    replace(list);
    setText(cancel, t("Stop"));
    draw(0);
    setText(text, t("Importing…"));
    try {
      const end = await reading(false, {
        progress: ({ doneCount = 0, pinCount = 0 }) => {
          if (Number(pinCount) === 0) return;
          draw(Number(doneCount) / Number(pinCount));
          const done = Number(doneCount);
          setText(text, tn(Number(pinCount), "Importing… {done} of {n} pin", "Importing… {done} of {n} pins", { done }));
        },
      });
      if (isClosed) return;
      close(false);
      refreshLists();
      const hasNews = Number(end.addedCount ?? 0) > 0 || Number(end.addedTrackCount ?? 0) > 0;
      notice(endOf(end), hasNews && { label: t("Undo"), run: undo });
      if (Number(end.unplacedCount ?? 0) > 0) placeUnplaced(refreshLists);
    } catch (error) {
      fail(error);
    }
  }

  // Calls until the end has come: a call that is cut off is followed by one that goes on.
  async function reading(isTrial, { bad = (_pin) => {}, progress = (_event) => {} }) {
    for (let round = 1; ; round += 1) {
      try {
        for await (const event of stream(`${SERVICE}/RunPinImport`, { id, isTrial })) {
          if (isClosed) break;
          if (event.badPin && round === 1) bad(event.badPin);
          if (event.progress) progress(event.progress);
          if (event.import) return event.import;
        }
        return {};
      } catch (error) {
        if (isClosed || round === TRIES || (error.code && !AGAIN.has(error.code))) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }

  async function undo() {
    try {
      const { import: undone } = await read(`${SERVICE}/UndoPinImport`, { id });
      refreshLists();
      notice(takenBack(undone));
    } catch (error) {
      notice(`${t("The import could not be taken back.")} ${reasonOf(error)}`, { label: t("Try again"), run: undo });
    }
  }

  function draw(share) {
    bar.style.transform = `scaleX(${share})`;
    line.setAttribute("aria-valuenow", Math.round(100 * share));
  }

  function fail(error) {
    if (isClosed) return;
    line.hidden = true;
    setText(text, "");
    setText(outcome, `${t("It can't be imported.")} ${whyNot(error)}`);
    setText(cancel, t("Close"));
  }

  // What was not imported to its end is taken back.
  function close(isGivenUp) {
    isClosed = true;
    dialog.close();
    dialog.remove();
    if (!isGivenUp || !id) return;
    if (isRunning) undo();
    else forget();
  }

  function forget() {
    read(`${SERVICE}/UndoPinImport`, { id }).catch(() => {});
  }
}

// What is sent of a file: gzip and archives as they are; nothing once it is not wanted any more. No more of it is in
// memory than may be sent.
async function packed(file, isOver) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = (first === 0x1f && second === 0x8b) || (first === 0x50 && second === 0x4b);
  // Browsers have it since 2023, and the types of our checker do not know it.
  const Packing = /** @type {any} */ (globalThis).CompressionStream;
  if (isPacked || file.size < WORTHWHILE || !Packing) {
    if (file.size > LARGEST) throw tooLarge();
    return new Uint8Array(await file.arrayBuffer());
  }
  const reader = file.stream().pipeThrough(new Packing("gzip")).getReader();
  const parts = [];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    count += value.length;
    if (count <= LARGEST && !isOver()) continue;
    reader.cancel().catch(() => {});
    if (isOver()) return undefined;
    throw tooLarge();
  }
  const bytes = new Uint8Array(count);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const tooLarge = () => new Error(t("It has more than {n} MB.", { n: 128 }));

// Pins of a file may be in lists. Where these can't be read now, they are when something shows them.
function refreshLists() {
  if (knownLists()) loadLists().catch(() => {});
  refreshTracks();
}

// The server names the file once more.
const whyNot = (error) => reasonOf({ ...error, message: error.message.replace(/^data: .*? can't be imported: /, "") });

// A part of the text has no number: its reason says where it is.
function placeOf({ fileName, number: at }) {
  if (!(Number(at ?? 0) > 0)) return fileName || t("The file");
  return fileName ? t("{fileName}, number {at}", { fileName, at }) : t("Number {at}", { at });
}

// "312 pins. 4 tracks. 3 can't be read. 2 areas are passed over."
function sentenceOf(found) {
  const { pinCount, listCount = 0, leftOutListCount = 0, badCount = 0, passedCount = 0, shortenedCount = 0 } = found;
  const pins = tn(Number(pinCount ?? 0), "{n} pin", "{n} pins");
  const lists = tn(Number(listCount), "{n} list", "{n} lists");
  const sentences = [Number(listCount) > 0 ? t("{pins} in {lists}", { pins, lists }) : pins];
  const tracks = Number(found.trackCount ?? 0);
  if (tracks > 0) sentences.push(tn(tracks, "{n} track or area", "{n} tracks and areas"));
  const unplaced = Number(found.unplacedCount ?? 0);
  if (unplaced > 0) {
    sentences.push(tn(
      unplaced, "{n} entry without a position will be looked up", "{n} entries without a position will be looked up",
    ));
  }
  if (Number(leftOutListCount) > 0) {
    sentences.push(tn(Number(leftOutListCount), "{n} list has no room", "{n} lists have no room"));
  }
  if (Number(badCount) > 0) sentences.push(t("{n} can't be read", { n: Number(badCount) }));
  if (Number(passedCount) > 0) {
    sentences.push(tn(Number(passedCount), "{n} shape is passed over", "{n} shapes are passed over"));
  }
  if (Number(shortenedCount) > 0) {
    sentences.push(tn(Number(shortenedCount), "{n} note is cut off", "{n} notes are cut off"));
  }
  return sentences.map((sentence) => t("{sentence}.", { sentence })).join(" ");
}

// What the file has that was there before is counted as one, whether pin or track.
function endOf({ addedCount = 0, knownCount = 0, trackCount = 0, addedTrackCount = 0 }) {
  const [pins, tracks] = [Number(addedCount), Number(addedTrackCount)];
  const known = Number(knownCount) + Number(trackCount) - tracks;
  return [
    (pins > 0 || tracks === 0) && tn(pins, "{n} pin is imported.", "{n} pins are imported."),
    tracks > 0 && tn(tracks, "{n} track or area is on the map.", "{n} tracks and areas are on the map."),
    known > 0 && tn(known, "{n} was there before.", "{n} were there before."),
  ].filter(Boolean).join(" ");
}

function takenBack({ removedCount = 0, removedTrackCount = 0 }) {
  const [pins, tracks] = [Number(removedCount), Number(removedTrackCount)];
  return [
    (pins > 0 || tracks === 0) && tn(pins, "{n} pin taken back.", "{n} pins taken back."),
    tracks > 0 && tn(tracks, "{n} track or area taken back.", "{n} tracks and areas taken back."),
  ].filter(Boolean).join(" ");
}
