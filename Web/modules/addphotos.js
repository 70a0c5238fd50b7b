// Adds photos of one's own to a pin's album: chosen with a button, which on a phone opens its camera or its pictures,
// or dropped onto the album. They are sent one after the other, also when the album is left.
import { el, icon, setText } from "./dom.js";
import { notice, reasonOf, say } from "./notices.js";
import { LARGEST, upload } from "./upload.js";
import { count } from "./words.js";

// `zone` is where files may be dropped; `added` is called with each photo. Gives a button, and a line with a bar for
// what is under way. `finish` makes photos for the album of another account's pin; nothing is taken while the button is
// hidden.
export function addPhotos(pinId, zone, added, { finish } = {}) {
  const bar = el("div");
  const text = el("p", { class: "adding-note" });
  const line = el("div", { class: "album-progress", role: "progressbar", "aria-label": "Photos being added" }, bar);
  const field = el("input", {
    type: "file", accept: "image/*,.heic,.heif,.avif,.tif,.tiff", multiple: true, class: "unseen", tabindex: -1, "aria-hidden": "true",
    onchange: () => {
      add([...field.files]);
      field.value = "";
    },
  });
  const status = el("div", { class: "adding", hidden: true }, line, text);
  const label = "Add photos of your own";
  const choose = () => field.click();
  const button = el(
    "button", { class: "button", "aria-label": label, title: label, onclick: choose }, icon("plus"), "Add",
  );
  const waiting = [];
  let [isSending, done, failed] = [false, 0, 0];

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
    while (waiting.length > 0) await send(waiting.shift());
    isSending = false;
    status.hidden = true;
    if (done > 0) say(`${count(done, "photo is", "photos are")} added.`);
  }

  async function send(file) {
    draw(0);
    try {
      if (file.size > LARGEST) throw new Error("It has more than 64 MB.");
      added(await upload(file, pinId, draw, finish));
      done += 1;
    } catch (error) {
      failed += 1;
      notice(`${file.name} could not be added. ${reasonOf(error)}`);
    }
  }

  function draw(share) {
    const all = done + failed + waiting.length + 1;
    setText(text, all === 1 ? "Adding a photo…" : `Adding photo ${done + failed + 1} of ${all}…`);
    bar.style.transform = `scaleX(${(done + failed + share) / all})`;
    line.setAttribute("aria-valuenow", Math.round((100 * (done + failed + share)) / all));
  }

  return { element: el("div", {}, field, status), button };
}
