// What the source has of a place besides its name: hours, phone, website, address.
import { el } from "../ground/dom.js";
import { read } from "../server/api.js";
import { hoursFact } from "../hours/hoursfact.js";
import { t } from "../ground/text.js";

// Under the names that OpenStreetMap, Foursquare and tables use.
const KEYS = {
  Hours: ["opening_hours", "hours"],
  Phone: ["phone", "contact:phone", "tel"],
  Website: ["website", "contact:website", "url"],
};
const LABELS = { Hours: t("Hours"), Phone: t("Phone"), Website: t("Website") };
// How far the entry may be from the requested position: positions are rounded.
const RADIUS = 2;

// Elements, or none when nothing is known.
export async function factsOf(place) {
  const { attributes = [], hours } = await entryOf(place) ?? {};
  return Object.entries(KEYS).flatMap(([label, keys]) => {
    const value = keys.map((key) => attributes.find((attribute) => attribute.key === key)?.value).find(Boolean);
    const shown = value && SHOWN[label](value, place, hours);
    return shown ? [el("div", {}, el("dt", {}, LABELS[label]), el("dd", {}, shown))] : [];
  });
}

async function entryOf(place) {
  const request = { centre: place.position, radiusM: RADIUS, limit: 200, fields: ["attributes", "hours"] };
  const { places = [] } = await read("places.v1.PlacesService/Nearby", request);
  return places.find(({ id }) => id === place.id);
}

const SHOWN = {
  Hours: (value, place, hours) => hoursFact(value, hours, async () => (await entryOf(place))?.hours),
  // Several are separated by semicolons.
  Phone(value) {
    const [first] = value.split(";");
    const digits = first.replace(/[\s().\/-]/g, "");
    return /^\+?\d{3,15}$/.test(digits) ? el("a", { href: `tel:${digits}` }, first.trim()) : value;
  },
  Website(value) {
    const address = webAddress(value.split(";")[0].trim());
    if (!address) return undefined;
    const { href, host } = address;
    return el("a", { href, target: "_blank", rel: "noopener noreferrer" }, host.replace(/^www\./, ""));
  },
};

// Only links to web pages are shown: no scripts, no files, and no credentials before the host.
export function webAddress(text) {
  if (/\s/.test(text)) return undefined;
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`);
    return ["http:", "https:"].includes(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}
