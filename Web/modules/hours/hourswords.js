// The words for opening hours: times, days, dates.
import { WEEK } from "./hoursrules.js";
import { isEnglish, locale, t } from "../ground/text.js";

const DAY = 1440;
export const EVERY_DAY = t("every day");
export const CLOSED = t("closed");
export const WHOLE_DAY = t("24 hours");

export const capital = (text) => text && text[0].toUpperCase() + text.slice(1);
// English has dates as "3 June 2024" here.
const DATES = isEnglish ? "en-GB" : locale;
const written = (date, options) => new Intl.DateTimeFormat(DATES, { ...options, timeZone: "UTC" }).format(date);
// 1 January 2024 was a Monday.
const DAY_NAMES = WEEK.map((day) => written(new Date(Date.UTC(2024, 0, day + 1)), { weekday: "long" }));

// "a, b and c"
const LIST = new Intl.ListFormat(DATES, { type: "conjunction" });
const listed = (parts) => LIST.format(parts);

// "9:00", and where the browser's language has it so "9 AM". The end of a day is 24:00.
export function clock(minutes, isTwelve) {
  const [hour, minute] = [Math.floor(minutes / 60), String(minutes % 60).padStart(2, "0")];
  if (!isTwelve) return `${minutes > DAY ? hour - 24 : hour}:${minute}`;
  if (minutes % DAY === 0) return t("midnight");
  const ofHalf = hour % 12 === 0 ? 12 : hour % 12;
  return `${ofHalf}${minute === "00" ? "" : `:${minute}`} ${hour % 24 < 12 ? "AM" : "PM"}`;
}

const EVENTS = { sunrise: t("sunrise"), sunset: t("sunset"), dawn: t("dawn"), dusk: t("dusk") };

function time(at, isTwelve) {
  if (typeof at === "number") return clock(at, isTwelve);
  if (at.shift === 0) return EVENTS[at.event];
  const [hours, minutes] = [Math.floor(Math.abs(at.shift) / 60), Math.abs(at.shift) % 60];
  const length = [hours && t("{n} h", { n: hours }), minutes && t("{n} min", { n: minutes })].filter(Boolean).join(" ");
  const event = EVENTS[at.event];
  return at.shift < 0
    ? t("{length} before {event}", { length, event }) : t("{length} after {event}", { length, event });
}

export const quoted = (note) => `“${note}”`;

function span({ from, to, isOpenEnd, note }, isTwelve) {
  const isWhole = from === 0 && to === DAY && !isOpenEnd;
  const [start, end] = [time(from, isTwelve), to === undefined ? undefined : time(to, isTwelve)];
  const areTimes = typeof from === "number" && typeof to === "number";
  const range = end === undefined ? t("from {time}", { time: start })
    : areTimes ? `${start}–${end}` : t("{from} to {to}|times", { from: start, to: end });
  const words = end !== undefined && isOpenEnd ? t("{times} or later", { times: range }) : range;
  return `${isWhole ? WHOLE_DAY : words}${note ? ` ${quoted(note)}` : ""}`;
}

// What goes on a day: "8:00–12:00 and 13:00–17:00", "closed".
export function times({ spans, note, isUnsure }, isTwelve) {
  if (spans.length === 0 && isUnsure) return quoted(note);
  if (spans.length === 0) return `${CLOSED}${note ? ` ${quoted(note)}` : ""}`;
  const known = spans.map((each) => {
    const words = span(each, isTwelve);
    return each.isUnsure && !each.note ? t("{times}, perhaps", { times: words }) : words;
  });
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
  const named = runs.flatMap((run) => (run.length > 2 ? [
    t("{from} to {to}|days", { from: run[0], to: run.at(-1) }),
  ] : run));
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
  const isClosed = (row) => row[1] === CLOSED;
  return [...rows.filter((row) => !isClosed(row)), ...rows.filter(isClosed)];
}

// "June to August", "6 June to 13 August", "24 and 25 December 2026"
export function dateNames(ranges) {
  return listed(ranges.map(({ from, to }) => (from === to
    ? date(from) : t("{from} to {to}|dates", { from: date(from), to: date(to) }))));
}

function date({ year, month, day }) {
  const options = { month: "long", ...(day && { day: "numeric" }), ...(year && { year: "numeric" }) };
  return written(new Date(Date.UTC(year ?? 2024, month, day ?? 1)), options);
}
