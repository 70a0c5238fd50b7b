// The words for opening hours: times, days, dates.
import { DAYS, MONTHS } from "./hourstokens.js";
import { WEEK } from "./hoursrules.js";

const DAY = 1440;
export const EVERY_DAY = "every day";

export const capital = (text) => text && text[0].toUpperCase() + text.slice(1);
const DAY_NAMES = DAYS.map(capital);
const MONTH_NAMES = MONTHS.map(capital);

// "a, b and c"
function listed(parts) {
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0] ?? "";
}

// "9:00", and where the browser's language has it so "9 AM". The end of a day is 24:00.
export function clock(minutes, isTwelve) {
  const [hour, minute] = [Math.floor(minutes / 60), String(minutes % 60).padStart(2, "0")];
  if (!isTwelve) return `${minutes > DAY ? hour - 24 : hour}:${minute}`;
  if (minutes % DAY === 0) return "midnight";
  const ofHalf = hour % 12 === 0 ? 12 : hour % 12;
  return `${ofHalf}${minute === "00" ? "" : `:${minute}`} ${hour % 24 < 12 ? "AM" : "PM"}`;
}

function time(at, isTwelve) {
  if (typeof at === "number") return clock(at, isTwelve);
  if (at.shift === 0) return at.event;
  const [hours, minutes] = [Math.floor(Math.abs(at.shift) / 60), Math.abs(at.shift) % 60];
  const length = [hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean).join(" ");
  return `${length} ${at.shift < 0 ? "before" : "after"} ${at.event}`;
}

export const quoted = (note) => `“${note}”`;

function span({ from, to, isOpenEnd, note }, isTwelve) {
  const isWhole = from === 0 && to === DAY && !isOpenEnd;
  const dash = typeof from === "number" && typeof to === "number" ? "–" : " to ";
  const end = to === undefined ? "" : `${dash}${time(to, isTwelve)}${isOpenEnd ? " or later" : ""}`;
  const range = `${end ? "" : "from "}${time(from, isTwelve)}${end}`;
  return `${isWhole ? "24 hours" : range}${note ? ` ${quoted(note)}` : ""}`;
}

// What goes on a day: "8:00–12:00 and 13:00–17:00", "closed".
export function times({ spans, note, isUnsure }, isTwelve) {
  if (spans.length === 0 && isUnsure) return quoted(note);
  if (spans.length === 0) return `closed${note ? ` ${quoted(note)}` : ""}`;
  const known = spans.map((each) => span(each, isTwelve) + (each.isUnsure && !each.note ? ", perhaps" : ""));
  return listed(known);
}

// "Monday to Friday", "Sunday and Monday", "every day"
export function dayNames(days) {
  if (days.length === 7) return EVERY_DAY;
  const isIn = (day) => days.includes((day + 7) % 7);
  const runs = WEEK.filter((day) => isIn(day) && !isIn(day - 1)).map((first) => {
    const length = [...WEEK, 7].findIndex((step) => !isIn(first + step));
    return WEEK.slice(0, length).map((step) => DAY_NAMES[(first + step) % 7]);
  });
  // Of two days, both are named.
  const named = runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run.at(-1)}`] : run));
  const isAroundSunday = runs.length === 1 || !(isIn(6) && isIn(0));
  return listed(isAroundSunday ? named : [...named.slice(-1), ...named.slice(0, -1)]);
}

// Days with the same times together, from Monday on, closed ones last. In a whole week a day without a rule is closed.
export function weekRows(week, isTwelve, { isWhole }) {
  const groups = new Map();
  for (const day of WEEK) {
    if (!week[day] && !isWhole) continue;
    const text = times(week[day] ?? { spans: [] }, isTwelve);
    groups.set(text, [...groups.get(text) ?? [], day]);
  }
  const rows = [...groups].map(([text, days]) => [dayNames(days), text]);
  const isClosed = (row) => row[1] === "closed";
  return [...rows.filter((row) => !isClosed(row)), ...rows.filter(isClosed)];
}

// "June to August", "6 June to 13 August", "24 and 25 December 2026"
export function dateNames(ranges) {
  return listed(ranges.map(({ from, to }) => (from === to ? date(from) : `${date(from)} to ${date(to)}`)));
}

function date({ year, month, day }) {
  return [day, MONTH_NAMES[month], year].filter((part) => part !== undefined).join(" ");
}
