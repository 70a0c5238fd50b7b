// The lists of pins as this page knows them: read when something shows them, and from answers to our own changes.
import { change, read } from "../server/api.js";
import { el } from "../ground/dom.js";
import { isMadeHere, waitingChanges } from "../offline/outbox.js";

const SERVICE = "lists.v1.ListService";
const PREFIX = "LIST_COLOUR_";
// The most in one answer.
const PAGE = 500;

export const COLOURS = ["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "grey"];
export const colourOf = (list) => list.colour?.slice(PREFIX.length).toLowerCase() ?? "blue";

let lists; // id → list; undefined until they were read once
const listeners = new Set();

// The oldest first; undefined until they are known.
export const knownLists = () => lists && [...lists.values()];
export const listOf = (id) => lists?.get(id);

// Calls `listener({id, pins})` when something has changed: `pins` says whether other pins are in the list.
export function onLists(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export async function loadLists(troubled) {
  const answer = await read(`${SERVICE}/ListLists`, {}, troubled);
  lists = new Map((answer.lists ?? []).map((list) => [list.id, list]));
  tell({});
}

// Those that a pin is in.
export async function listsWith(pinId) {
  const { lists: found = [] } = isMadeHere(pinId) ? {} : await read(`${SERVICE}/ListLists`, { pinId });
  const waits = waitingFor((request) => request.pinIds.includes(pinId));
  const inside = new Map(found.map((list) => [list.id, list]));
  for (const { request, isAdded } of waits) {
    if (isAdded) inside.set(request.id, listOf(request.id) ?? { id: request.id, name: "" });
    else inside.delete(request.id);
  }
  return [...inside.values()];
}

// What waits to be put into lists, or taken out: [{request, isAdded}].
const waitingFor = (concerns) => waitingChanges()
  .filter(({ method, request }) => method.startsWith(SERVICE) && concerns(request))
  .map(({ method, request }) => ({ request, isAdded: method.endsWith("/AddToList") }));

// The ids of all pins of a list; those that were put into it last come first.
export async function pinsOf(id, troubled) {
  const ids = [];
  let pageToken = "";
  do {
    const request = { id, pageSize: PAGE, pageToken, onlyIds: true };
    const answer = await read(`${SERVICE}/ListPinsOfList`, request, troubled);
    ids.push(...(answer.pins ?? []).map((pin) => pin.id));
    pageToken = answer.nextPageToken ?? "";
  } while (pageToken);
  const waits = waitingFor((request) => request.id === id);
  return waits.reduce((all, { request, isAdded }) => {
    const others = all.filter((each) => !request.pinIds.includes(each));
    return isAdded ? [...request.pinIds, ...others] : others;
  }, ids);
}

export async function createList({ name, colour }, signal) {
  return keep(await change(`${SERVICE}/CreateList`, fieldsOf(name, colour), signal), false);
}

export async function changeList(id, { name, colour }, signal) {
  return keep(await change(`${SERVICE}/ChangeList`, { id, ...fieldsOf(name, colour) }, signal), false);
}

const fieldsOf = (name, colour) => ({ name, colour: PREFIX + colour.toUpperCase() });

export async function deleteList(id) {
  await change(`${SERVICE}/DeleteList`, { id });
  lists?.delete(id);
  tell({ id, pins: true });
}

export const addToList = (id, pinIds) => changePins("AddToList", id, pinIds);
export const removeFromList = (id, pinIds) => changePins("RemoveFromList", id, pinIds);

async function changePins(verb, id, pinIds) {
  const answer = await change(`${SERVICE}/${verb}`, { id, pinIds });
  if (answer.waits) tell({ id, pins: true });
  else keep(answer, true);
}

// A colour that no list has, or else blue.
export const freshColour = () =>
  COLOURS.find((colour) => !knownLists()?.some((list) => colourOf(list) === colour)) ?? "blue";

export const listDot = (list) =>
  el("span", { class: "list-dot", "data-colour": colourOf(list), "aria-hidden": "true" });

function keep({ list }, pins) {
  lists ??= new Map();
  lists.set(list.id, list);
  tell({ id: list.id, pins });
  return list;
}

function tell(what) {
  for (const listener of listeners) listener(what);
}
