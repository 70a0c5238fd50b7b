// What the pins are with the changes that wait for the server: those that were made, moved, renamed, annotated or
// deleted here are on the map and in the list as they will be, and say that they wait.
import { complain } from "../ground/notices.js";
import { idOfNew, isMadeHere, nameOf, onChanges, waitingChanges } from "../offline/outbox.js";
import { go, route } from "../ground/router.js";
import { dropPin, overlayPins, pinOf, putPin } from "./store.js";
import { t } from "../ground/text.js";

// As the server takes it where none is said.
const RADIUS_M = 1000;
// How a pin differs by a change.
const METHODS = {
  CreatePin: ({ position, name }) => ({
    isNew: true, position, radiusM: RADIUS_M, state: "PIN_STATE_NEW", name: name || inFigures(position),
  }),
  MovePin: ({ position }) => ({ position }),
  RenamePin: ({ name }) => name && { name },
  AnnotatePin: ({ note, visitedDate }) => ({ hasNote: note !== "", waitingNote: note, visitedDate }),
  DeletePin: () => ({ isGone: true }),
};

export function startWaitingPins() {
  onChanges(draw);
  draw();
}

function draw() {
  const pins = new Map();
  for (const { method, request } of waitingChanges()) {
    const differs = METHODS[method.split("/")[1]]?.(request);
    if (!differs) continue;
    const named = differs.isNew ? idOfNew(request.requestId) : request.id;
    const id = nameOf(named) ?? named;
    pins.set(id, { ...pins.get(id), ...differs, id, waits: true });
  }
  overlayPins(pins);
  // The page of a pin goes on under the name that the server gave it.
  const now = route();
  const name = isMadeHere(now.pin) ? nameOf(now.pin) : undefined;
  if (name && pinOf(name)) go({ ...now, pin: name }, { replace: true });
}

// The server has made a change that no one waited for any more.
export function takeLate({ method, request }, { pin }) {
  // The answer to a deletion has the pin as it was.
  if (method.endsWith("/DeletePin")) dropPin(nameOf(request.id) ?? request.id);
  else if (pin) putPin(pin);
  draw();
  // It was deleted elsewhere before that was known here.
  if (pin && !pinOf(pin.id) && nameOf(route().pin) === pin.id) go({ view: "home" }, { replace: true });
}

// Nor can it be made any more.
export function refuseLate({ method, request }, error) {
  if (method.endsWith("/DeletePin") && error.code === "not_found") return dropPin(nameOf(request.id) ?? request.id);
  complain(t("A change that waited could not be made."), error);
}

const inFigures = ({ latitude = 0, longitude = 0 }) => `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`;
