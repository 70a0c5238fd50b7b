// Who has a thing that several networks or datasets have.
import { el } from "../ground/dom.js";
import { networkName, networkOf } from "../ground/words.js";

// Of the catalog it is the dataset that has it.
export const sourceOf = (id) => (networkOf(id) === "catalog" ? id.split("/").slice(0, 2).join("/") : networkOf(id));
const sourceName = (id) => (networkOf(id) === "catalog" ? id.split("/")[1] : networkName(networkOf(id)));

// Its page there; undefined where none is known.
function pageOf(id) {
  const element = /^(?:openstreetmap|catalog\/[^/]+)\/((?:node|way|relation)\/\d+)$/.exec(id);
  if (element) return `https://www.openstreetmap.org/${element[1]}`;
  const venue = /^foursquare\/([0-9a-f]{24})$/.exec(id);
  return venue ? `https://foursquare.com/v/${venue[1]}` : undefined;
}

// A link to its page there, by the name of who has it.
export function sourceLink({ id }) {
  const href = pageOf(id);
  const link = { href, target: "_blank", rel: "noopener noreferrer" };
  return href ? el("a", link, sourceName(id)) : el("span", {}, sourceName(id));
}

// The line below a place's name.
export const sourceLine = (places) =>
  el("p", { class: "place-source" }, places.flatMap((place, index) => [index > 0 && " · ", sourceLink(place)]));
