// The wording for users: distances, days, kinds of places, and what the server says.
import { isEnglish, locale, number, t } from "./text.js";
import { served } from "./served.js";

const SHORT = new Intl.NumberFormat(locale, { notation: "compact" });
// For marks on the map: 12K.
export const shortNumber = (value) => (value < 10_000 ? number(value) : SHORT.format(value));
const PERCENT = new Intl.NumberFormat(locale, { style: "percent" });
export const percent = (share) => PERCENT.format(share);

// "350 m", "1.2 km": with as many decimals.
function measure(value, unit, decimals = 0) {
  const text = new Intl.NumberFormat(locale, {
    style: "unit", unit, minimumFractionDigits: decimals, maximumFractionDigits: decimals,
  }).format(value);
  // Where words are longer, a number keeps its unit beside it.
  return isEnglish ? text : text.replaceAll(" ", "\u00a0");
}
export const metres = (value) => measure(value, "meter");

// Where miles are usual for distances on the road: in these regions, if the reader's language names one.
const milesAreUsual = /-(US|GB|LR|MM)$/i.test(navigator.language);
let isImperial = milesAreUsual;

// "UNITS_METRIC", "UNITS_IMPERIAL", or as is usual where the reader is.
export function setUnits(units) {
  isImperial = units === "UNITS_IMPERIAL" || units !== "UNITS_METRIC" && milesAreUsual;
}

export const milesAreShown = () => isImperial;

export function distance(metres) {
  if (isImperial) return milesOf(metres);
  if (metres < 1000) return measure(metres, "meter");
  return measure(metres / 1000, "kilometer", metres < 10_000 ? 1 : 0);
}

// "640 m", also where it is more than 1000.
export const height = (metres) => (isImperial ? measure(metres / 0.3048, "foot") : measure(metres, "meter"));

// "45 min", "3 hr 20 min", "5 days".
export function duration(seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return measure(Math.round(hours / 24), "day");
  return [hours > 0 && measure(hours, "hour"), (rest > 0 || hours === 0) && measure(rest, "minute")]
    .filter(Boolean).join(" ");
}

function milesOf(metres) {
  const [feet, miles] = [metres / 0.3048, metres / 1609.344];
  return feet < 1000 ? measure(feet, "foot") : measure(miles, "mile", miles < 10 ? 1 : 0);
}

export function bytes(value) {
  if (value < 1_000_000) return measure(Math.max(1, value / 1000), "kilobyte");
  if (value < 1_000_000_000) return measure(value / 1_000_000, "megabyte", 1);
  return measure(value / 1_000_000_000, "gigabyte", 1);
}

// Internal addresses and paths: these are not for the map's users.
const INSIDE = new RegExp([
  "\\b\\d{1,3}(\\.\\d{1,3}){3}\\b", "\\[[0-9a-f]*:[0-9a-f:.]*\\]", "[\\w-]:\\d{2,5}\\b", "\\blocalhost\\b",
  "(^|\\s)/\\w+/", "\\w+://",
].join("|"), "i");

// A sentence of the server for the user; `otherwise` when there is none, or when it contains internals.
export function plain(text, otherwise) {
  if (!text || INSIDE.test(text)) return otherwise;
  return served(text[0].toUpperCase() + text.slice(1));
}

// Why what was typed into a field is refused. The server says it of that alone, so it names nothing of the inside.
export function refusal(text, typed) {
  const words = text.replace(`"${typed}"`, "this");
  return served(words[0].toUpperCase() + words.slice(1));
}

// The same behind a name: "Flickr: it fails (503)".
export function saidBy(name, text, otherwise) {
  return !text || INSIDE.test(text) ? otherwise : `${name}: ${text}`;
}

// "amenity/fast_food" is "Fast food".
export function category(place) {
  const path = place.categories?.[0] ?? "";
  const word = path.split("/").pop().replaceAll("_", " ");
  return word ? served(word[0].toUpperCase() + word.slice(1)) : t("Place");
}

// "a, b and c"
export const listed = new Intl.ListFormat(locale, { type: "conjunction" });

export const networkOf = (id) => id.split("/")[0];

// What people call each network, as the gateway says it; where that is no name, but words, in the reader's language.
const WORDS_OF_NETWORKS = {
  catalog: t("Catalog"), folder: t("Own pictures"), immich: t("Your Immich"), streetmap: t("Streets of the world"),
  upload: t("Your photos"),
};
let networkLabels = {};
export const nameNetworks = (labels) => { networkLabels = labels; };
export const networkName = (network) => WORDS_OF_NETWORKS[network] ?? networkLabels[network] ?? network;

// A warning about several, "commons: it fails (503); panoramax: …", with the names that people know.
export const namingNetworks = (warning = "") => warning.split("; ").map((part) => {
  const [network, ...rest] = part.split(": ");
  return [networkName(network), ...rest].join(": ");
}).join("; ");

// "https://photos.example.org/" is "photos.example.org": an address as people say it.
export const bare = (address) => address.replace(/^https?:\/\//, "").replace(/\/$/, "");

// The day where a photo was taken: of an offset that is not known, the clock's own.
export const takenDay = ({ takenTime, takenOffsetMinutes = 0 }) =>
  takenTime && day(new Date(takenTime).getTime() + takenOffsetMinutes * 60_000);

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
export function day(time) {
  return DAY.format(new Date(time));
}

const MOMENT = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
// Where the reader is.
export const moment = (time) => MOMENT.format(new Date(time));
