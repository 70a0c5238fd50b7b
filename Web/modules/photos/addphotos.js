// Adds photos of one's own to a pin's album: chosen with a button, which on a phone opens its camera or its pictures,
// or dropped onto the album. They are sent one after the other, also when the album is left. While the server is away
// they wait, as long as the page is open or until one gives them up; what it has of them is not sent again.
import { el, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { onWipe } from "../offline/kept.js";
import { complain, say } from "../ground/notices.js";
import { LARGEST, upload } from "../server/upload.js";
import { t, tn } from "../ground/text.js";

// After how many milliseconds what waits is tried again; when the browser is online again, at once.
const AGAIN = 5000;
const PASSES = new Set(["unavailable", "resource_exhausted", "deadline_exceeded"]);
// Aborts of what is being sent, or waits.
const sending = new Set();

// The page would lose them.
addEventListener("beforeunload", (event) => sending.size > 0 && event.preventDefault());
// They were of the account that has left.
onWipe(() => {
  for (const abort of [...sending]) abort();
});

// `zone` is where files may be dropped; `added` is called with each photo. Gives a button, and a line with a bar for
// what is under way. `finish` makes photos for the album of another account's pin; nothing is taken while the button is
// hidden.
export function addPhotos(pinId, zone, added, { finish = undefined } = {}) {
  const bar = el("div");
  const text = el("p", { class: "adding-note" });
  const line = el("div", { class: "album-progress", role: "progressbar", "aria-label": t("Photos being added") }, bar);
  const field = el("input", {
    type: "file", accept: "image/*,.heic,.heif,.avif,.tif,.tiff", multiple: true, class: "unseen",
    tabindex: -1, "aria-hidden": "true",
    onchange: () => {
      add([...field.files]);
      field.value = "";
    },
  });
  const giveUp = el("button", { class: "quiet-link", hidden: true, onclick: () => abort() }, t("Don't add"));
  const status = el("div", { class: "adding", hidden: true }, line, el("div", { class: "adding-line" }, text, giveUp));
  const label = t("Add photos of your own");
  const choose = () => field.click();
  const button = el(
    "button", { class: "round", "aria-label": label, title: label, onclick: choose }, icon("plus"),
  );
  let waiting = [];
  let [isSending, done, failed] = [false, 0, 0];
  let given = new AbortController();

  // Gives up all that was chosen and is not there yet.
  function abort() {
    waiting = [];
    given.abort();
  }

  zone.addEventListener("dragover", (event) => {
    if (button.hidden || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("dropping");
  });
  zone.addEventListener("dragleave", (event) => {
    if (!zone.contains(event.relatedTarget)) zone.classList.remove("dropping");
  });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("dropping");
    if (!button.hidden) add([...event.dataTransfer?.files ?? []]);
  });

  async function add(files) {
    waiting.push(...files);
    if (isSending || waiting.length === 0) return;
    isSending = true;
    status.hidden = false;
    [done, failed] = [0, 0];
    given = new AbortController();
    sending.add(abort);
    while (waiting.length > 0) await send(waiting.shift(), given.signal);
    sending.delete(abort);
    isSending = false;
    status.hidden = giveUp.hidden = true;
    if (done > 0) say(tn(done, "{n} photo is added.", "{n} photos are added."));
  }

  async function send(file, signal) {
    draw(0);
    try {
      if (file.size > LARGEST) throw new Error(t("It has more than {n} MB.", { n: 64 }));
      const photo = await persistently(() => upload(file, pinId, draw, { finish, signal, troubled: waits }), signal);
      added(photo);
      done += 1;
    } catch (error) {
      if (signal.aborted) return;
      failed += 1;
      complain(t("{file} could not be added.", { file: file.name }), error);
    }
  }

  async function persistently(run, signal) {
    while (true) {
      try {
        return await run();
      } catch (error) {
        if (signal.aborted || !PASSES.has(error.code)) throw error;
        waits();
        await pause(signal);
      }
    }
  }

  function waits() {
    setText(text, tn(
      waiting.length + 1, "{n} photo waits for the server. Leave this page open until then.",
      "{n} photos wait for the server. Leave this page open until then.",
    ));
    giveUp.hidden = false;
  }

  function draw(share) {
    const all = done + failed + waiting.length + 1;
    giveUp.hidden = true;
    setText(text, all === 1 ? t("Adding a photo…") : t("Adding photo {n} of {all}…", { n: done + failed + 1, all }));
    bar.style.transform = `scaleX(${(done + failed + share) / all})`;
    line.setAttribute("aria-valuenow", Math.round((100 * (done + failed + share)) / all));
  }

  return { element: el("div", {}, field, status), button };
}

// Ends early when the browser is online again, or the signal gives up.
function pause(signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, AGAIN);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
