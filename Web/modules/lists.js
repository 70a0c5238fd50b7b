// The lists of pins as this page knows them: read when something shows them, and from answers to our own changes.
import { change, read } from "./api.js";
import { el } from "./dom.js";

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
export const listsWith = async (pinId) => (await read(`${SERVICE}/ListLists`, { pinId })).lists ?? [];

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
  return ids;
}

export async function createList({ name, colour }) {
  return keep(await change(`${SERVICE}/CreateList`, { name, colour: PREFIX + colour.toUpperCase() }), false);
}

export async function changeList(id, { name, colour }) {
  return keep(await change(`${SERVICE}/ChangeList`, { id, name, colour: PREFIX + colour.toUpperCase() }), false);
}

export async function deleteList(id) {
  await change(`${SERVICE}/DeleteList`, { id });
  lists?.delete(id);
  tell({ id, pins: true });
}

export const addToList = async (id, pinIds) => keep(await change(`${SERVICE}/AddToList`, { id, pinIds }), true);
export const removeFromList = async (id, pinIds) =>
  keep(await change(`${SERVICE}/RemoveFromList`, { id, pinIds }), true);

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
