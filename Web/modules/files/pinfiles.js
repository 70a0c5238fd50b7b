// Pins in and out as files: a button that chooses one, for who can't drop it, and one for each format.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { complain, say } from "../ground/notices.js";
import { ENDINGS, importPins } from "./pinimport.js";
import { stream } from "../server/stream.js";
import { t, tn } from "../ground/text.js";
import { placeUnplaced, unplacedCount } from "./unplaced.js";

const FORMATS = [
  ["GEOJSON", "GeoJSON", "geojson", "application/geo+json"], ["GPX", "GPX", "gpx", "application/gpx+xml"],
  ["KML", "KML", "kml", "application/vnd.google-earth.kml+xml"],
  ["KMZ", "KMZ", "kmz", "application/vnd.google-earth.kmz"],
];

export function pinFiles() {
  const field = el("input", {
    type: "file", accept: ENDINGS, class: "unseen", tabindex: -1, "aria-hidden": "true",
    onchange: () => {
      const [file] = field.files;
      if (file) importPins(file);
      field.value = "";
    },
  });
  const choose = el("button", { class: "button", onclick: () => field.click() }, icon("plus"), t("Import a file"));
  const format = el(
    "select", { "aria-label": t("Format") }, FORMATS.map(([value, label]) => el("option", { value }, label)),
  );
  const write = el("button", { class: "button", onclick: save }, icon("download"), t("Export all pins"));
  const line = el("p", { class: "section-note", role: "status" });

  async function save() {
    const [name, , ending, type] = FORMATS.find(([value]) => value === format.value);
    write.disabled = true;
    try {
      const parts = [];
      let pins = 0;
      const request = { format: `PIN_FILE_FORMAT_${name}` };
      for await (const { data, pinCount = 0 } of stream("pins.v1.PinFileService/ExportPins", request)) {
        parts.push(Uint8Array.from(atob(data ?? ""), (letter) => letter.charCodeAt(0)));
        pins = Number(pinCount);
        setText(line, tn(pins, "{n} pin…", "{n} pins…"));
      }
      const address = URL.createObjectURL(new Blob(parts, { type }));
      el("a", { href: address, download: `pins.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      setText(line, tn(pins, "{n} pin is exported.", "{n} pins are exported."));
      say(line.textContent);
    } catch (error) {
      setText(line, "");
      complain(t("The pins could not be exported."), error);
    }
    write.disabled = false;
  }

  const waiting = el("div", { class: "pin-files-row", hidden: true });
  drawWaiting();

  async function drawWaiting() {
    const total = await unplacedCount().catch(() => 0);
    waiting.hidden = total === 0;
    replace(waiting, [
      el("button", { class: "button", onclick: () => placeUnplaced(drawWaiting) },
        icon("drop"), tn(total, "{n} entry without a position", "{n} entries without a position")),
    ]);
  }

  return el(
    "div", { class: "pin-files" }, el("h2", {}, t("Pins as files")),
    el("p", {}, t(
      "GPX, KML, KMZ, GeoJSON, and saved places of Google Takeout come in. What goes out can come in again.",
    )),
    field, el(
      "div", { class: "pin-files-row" }, choose,
    ), waiting, el("div", { class: "pin-files-row" }, format, write), line,
  );
}
