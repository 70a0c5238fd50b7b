// The entry point: the map, the pins, and from then on what the address selects.
import { latLng, map, openMap } from "./map/map.js";
import { centre } from "./map/sight.js";
import { startPanel, focusPanel } from "./map/panel.js";
import { startTools, isEditing, locate, showAll } from "./pins/tools.js";
import { startSearch } from "./search/searchfield.js";
import { showPins } from "./pins/pins.js";
import {
  allPins, isCrowd, onPins, pinCount, pinOf, pinsAreKnown, pinsTrouble, putPin, startPins,
} from "./pins/store.js";
import { closeCallout, openCallout } from "./pins/callout.js";
import { dropPinAt } from "./pins/actions.js";
import { aimAt } from "./pins/aim.js";
import { deletePin } from "./pins/deletion.js";
import { startFingers } from "./map/fingers.js";
import { onLongPress } from "./map/longpress.js";
import { openHome } from "./pins/home.js";
import { comeLater, fetchPages, laterPages } from "./ground/later.js";
import { openLater } from "./laterview.js";
import { hidePhoto, isPhotoShown, showPhoto, startViewer } from "./photos/viewer.js";
import { back, go, onRoute, route } from "./ground/router.js";
import { askToLogIn } from "./people/login.js";
import { logInByLink, onLoginLink, resetByLink } from "./people/loginlink.js";
import { entrance } from "./server/entrance.js";
import { startFileDrop } from "./files/filedrop.js";
import { comeBack } from "./people/providerreturn.js";
import { settings } from "./server/settings.js";
import { choices } from "./server/choices.js";
import { read, sendWaiting } from "./server/api.js";
import { notice } from "./ground/notices.js";
import { nameOf } from "./offline/outbox.js";
import { leaveView } from "./ground/view.js";
import { refuseLate, startWaitingPins, takeLate } from "./pins/waitingpins.js";
import { startWorker } from "./offline/worker.js";
import { laterWords, sayPage, t } from "./ground/text.js";

// The most pins in one answer.
const ONE_ANSWER = 500;
const VIEWS = { home: openHome };
let view;
let viewKey;
let wasShown = false;

async function start() {
  entrance.asksBy(askToLogIn);
  comeLater(async () => {
    await laterWords();
    const { pages } = await import("./pages.js");
    pages.drawTracks();
    return pages;
  });
  await comeBack();
  await logInByLink();
  await resetByLink();
  onLoginLink();
  entrance.begin();
  sayPage();
  startPanel();
  startTools();
  startSearch();
  startFingers();
  startViewer();
  showPins((pin) => (isEditing() ? deletePin(pin.id, pin) : go({ view: "pin", pin: pin.id })));
  onLongPress((point) => aimAt(point) || isEditing() || dropPinAt(point));
  startWaitingPins();
  startPins();
  showView({ view: "home" });
  const { opened } = await openMap(settings(), pinsOrWhyNot(), startView());
  arrive(route());
  onRoute(arrive);
  // It may be removed here or elsewhere; either way there is nothing left to show.
  onPins(({ removed }) => removed.has(route().pin) && !nameOf(route().pin) && go({ view: "home" }, { replace: true }));
  map.on("click", () => route().view === "pin" && go({ view: "home" }));
  addEventListener("keydown", escape);
  fetchPages();
  startFileDrop();
  chooseFirst();
  sendWaiting(takeLate, refuseLate);
  startWorker();
  if (isStored("waymark.layers")) laterPages().then((pages) => pages.startLayers(), () => {});
  if (isStored("waymark.tracks")) laterPages().catch(() => {});
  if (isStored("waymark.marks")) laterPages().then((pages) => pages.startMarks(), () => {});
  if (!await opened) whenKnown(() => pinCount() > 0 && isPlain() && showAll());
  else if ((await startView()) === "START_VIEW_HERE" && isPlain()) locate();
}

// No link says what to show.
const isPlain = () => route().view === "home" && !route().at && !route().photo;

const startView = () => choices().then((chosen) => chosen.startView, () => undefined);

// Whether lists, tracks, places or photos are shown on the map, which needs the later script.
function isStored(name) {
  try {
    return localStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

// Before the first pin one says which networks are asked.
async function chooseFirst() {
  try {
    const { needsNetworks } = await choices();
    if (needsNetworks) await (await laterPages()).firstStart();
  } catch {
    // A pin that is dropped without says what is missing.
  }
}

// Resolves when the pins are there, or the page shows why they are not yet.
const pinsOrWhyNot = () => new Promise((resolve) => {
  const stop = onPins(() => {
    if (!pinsAreKnown() && !pinsTrouble()) return;
    stop();
    resolve();
  });
});

// A link may refer to a pin before the pins are known.
function whenKnown(run) {
  if (pinsAreKnown()) return run();
  const stop = onPins(() => {
    if (!pinsAreKnown()) return;
    stop();
    run();
  });
}

function arrive(now) {
  const name = nameOf(now.pin);
  if (name) return go({ ...now, pin: name }, { replace: true });
  if (now.pin && !pinOf(now.pin) && !pinsAreKnown()) {
    return whenKnown(() => route() === now && arrive(now));
  }
  if (now.pin && !pinOf(now.pin)) return !isCrowd() && allPins().length < ONE_ANSWER ? missed() : lookUp(now);
  if (now.pin && !pinOf(now.pin).generation && !pinOf(now.pin).isNew) begin(now.pin);
  if (now.at) centre(latLng(now.at), Math.min(now.at.zoom, map.getMaxZoom()));
  if (now.view === "pin") {
    showView({ ...now, view: "home" });
    openCallout(now.pin);
  } else {
    closeCallout();
    showView(now);
  }
  drawPhoto();
}

// Thousands of pins come in several answers, and this one may be in a later one.
async function lookUp(now) {
  try {
    const { pin } = await read("pins.v1.PinService/GetPin", { id: now.pin });
    putPin(pin);
    if (route() === now) arrive(now);
  } catch {
    if (route() === now) missed();
  }
}

// A pin of a file is searched for when it is opened.
const begin = (id) => read("pins.v1.PinService/GetPin", { id }).then(({ pin }) => putPin(pin), () => {});

function missed() {
  notice(t("That pin is not there"));
  go({ view: "home" }, { replace: true });
}

function showView(wanted) {
  const waits = ["places", "album"].includes(wanted.view) && pinOf(wanted.pin)?.isNew;
  const now = waits ? { ...wanted, view: "waiting" } : wanted;
  const key = now.view === "home" ? "home" : `${now.view} ${now.pin ?? now.list ?? now.shared} ${now.inner}`;
  if (key !== viewKey) {
    view?.close();
    leaveView();
    view = (VIEWS[now.view] ?? openLater)(now, drawPhoto);
    viewKey = key;
    // The list of pins takes the focus only when it would be nowhere.
    const isLost = wasShown && document.activeElement === document.body;
    wasShown = true;
    if (now.view !== "home" || isLost) focusPanel();
  }
  view.update(now);
}

// A view calls it when its photos change: a link may open one before they are known, and its picture may come later.
function drawPhoto() {
  const now = route();
  const photos = now.photo && view.photos(now);
  if (photos) showPhoto(now.photo, photos, (photo) => view.placeName(now, photo));
  else hidePhoto();
}

function escape(event) {
  if (event.key !== "Escape" || event.defaultPrevented || isEditing()) return;
  const now = route();
  if (now.view === "pin") go({ view: "home" });
  else if (now.post) go({ view: "posts" }, { replace: true });
  else if (now.view !== "home" && !isPhotoShown()) back(now.pin ? { view: "pin", pin: now.pin } : { view: "home" });
}

start();
