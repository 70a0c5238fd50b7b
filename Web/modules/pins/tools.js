// The tools at the map's edge: drop a pin, edit, all pins, where am I, zoom, light and dark.
import { L } from "../map/leaflet.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { hideBanner, showBanner } from "../ground/banner.js";
import { map } from "../map/map.js";
import { boxAround } from "../ground/box.js";
import { showBounds, showBox } from "../map/sight.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { allPins, isCrowd, pinsAreKnown } from "./store.js";
import { read } from "../server/api.js";
import { complain, notice, say } from "../ground/notices.js";
import { dropPinByAim } from "./actions.js";
import { laterPages } from "../ground/later.js";
import { t } from "../ground/text.js";

let editing = false;
export const isEditing = () => editing;

export function startTools() {
  const edit = tool(t("Edit: tap pins to delete them"), "edit", () => setEditing(!editing));
  edit.id = "edit";
  edit.setAttribute("aria-pressed", "false");
  const theme = tool(t("Light or dark"), "moon", () => document.dispatchEvent(new Event("themeswitch")));
  const drawTheme = () => {
    replace(theme, icon(document.documentElement.dataset.theme === "dark" ? "sun" : "moon"));
  };
  document.addEventListener("themechange", drawTheme);
  drawTheme();
  const drop = tool(t("Drop a pin (N)"), "drop", dropPinByAim);
  drop.classList.add("primary");
  const marks = tool(t("Show places and photos"), "layers", openMarks);
  marks.setAttribute("aria-haspopup", "dialog");
  document.getElementById("tools").append(
    group("", drop, edit),
    group("", tool(t("Show all pins"), "all", showAll), tool(t("Where am I"), "locate", locate), marks),
    group("zoom", tool(t("Zoom in"), "plus", () => map.zoomIn()), tool(t("Zoom out"), "minus", () => map.zoomOut())),
    group("", theme),
  );
  map.getContainer().addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "n" && !event.ctrlKey && !event.metaKey && !event.altKey) dropPinByAim();
  });
  addEventListener("keydown", (event) => event.key === "Escape" && editing && setEditing(false));
}

const tool = (label, mark, run) =>
  el("button", { class: "tool", "aria-label": label, title: label, onclick: run }, icon(mark));
const group = (name, ...tools) => el("div", { class: `tools-group ${name}` }, ...tools);

function setEditing(on) {
  editing = on;
  document.body.classList.toggle("editing", on);
  document.getElementById("edit").setAttribute("aria-pressed", String(on));
  const done = el("button", { onclick: () => setEditing(false) }, t("Done"));
  if (on) showBanner(() => setEditing(false), el("span", {}, t("Tap a pin to delete it")), done);
  else hideBanner();
  say(on ? t("Tap a pin to delete it.") : t("Editing is over."));
}

export function showAll() {
  if (isCrowd()) return showWhole();
  const pins = allPins();
  if (pins.length > 0) return showBox(boxAround(pins.map((pin) => pin.position)));
  if (!pinsAreKnown()) return notice(t("The pins are still on their way."));
  notice(t("There is no pin yet. Press and hold the map to drop one."));
}

async function openMarks(event) {
  const button = event.currentTarget;
  try {
    (await laterPages()).mapMarks(button);
  } catch (error) {
    complain(t("This can't be shown now."), error);
  }
}

async function showWhole() {
  try {
    const { box } = await read("pins.v1.PinService/GetBounds");
    if (box) showBox(box);
  } catch (error) {
    complain(t("The pins could not be shown."), error);
  }
}

let here;

export function locate() {
  if (!isSecureContext) return notice(t("Browsers share your location only over https."));
  if (!navigator.geolocation) return notice(t("This browser doesn't share your location."));
  navigator.geolocation.getCurrentPosition(show, (error) => {
    notice(error.code === error.PERMISSION_DENIED
      ? t("You have not allowed this page to know where you are.") : t("Your location can't be found right now."));
  }, { enableHighAccuracy: true, timeout: 15_000, maximumAge: 30_000 });
}

function show({ coords }) {
  const point = near(L.latLng(coords.latitude, coords.longitude));
  const icon = L.divIcon({ className: "here", iconSize: [18, 18] });
  here ??= L.layerGroup().addTo(map);
  here.eachLayer(letGo);
  here.clearLayers();
  here.addLayer(keepNear(L.circle(point, { radius: coords.accuracy, className: "here-circle", interactive: false })));
  here.addLayer(keepNear(L.marker(point, { icon, interactive: false, keyboard: false })));
  showBounds(point.toBounds(Math.max(600, coords.accuracy * 2)));
  say(t("The map shows where you are."));
}
