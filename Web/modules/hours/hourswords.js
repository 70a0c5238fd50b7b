// The words for opening hours: times and days.
import { isEnglish, locale, t } from "../ground/text.js";

const DAY = 1440;
// From Monday on.
export const WEEK = [0, 1, 2, 3, 4, 5, 6];
export const EVERY_DAY = t("every day");
export const CLOSED = t("closed");
export const WHOLE_DAY = t("24 hours");

export const capital = (text) => text && text[0].toUpperCase() + text.slice(1);
const LANGUAGE = isEnglish ? "en-GB" : locale;
const WEEKDAY = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", timeZone: "UTC" });
// 1 January 2024 was a Monday.
const DAY_NAMES = WEEK.map((day) => WEEKDAY.format(new Date(Date.UTC(2024, 0, day + 1))));

// "a, b and c"
const LIST = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });
const listed = (parts) => LIST.format(parts);

// "9:00", and where the browser's language has it so "9 AM". The end of a day is 24:00.
export function clock(minutes, isTwelve) {
  const [hour, minute] = [Math.floor(minutes / 60), String(minutes % 60).padStart(2, "0")];
  if (!isTwelve) return `${minutes > DAY ? hour - 24 : hour}:${minute}`;
  if (minutes % DAY === 0) return t("midnight");
  const ofHalf = hour % 12 === 0 ? 12 : hour % 12;
  return `${ofHalf}${minute === "00" ? "" : `:${minute}`} ${hour % 24 < 12 ? "AM" : "PM"}`;
}

export const quoted = (note) => `“${note}”`;

function span({ from, to, note, isUnsure }, isTwelve) {
  const range = from === 0 && to === DAY ? WHOLE_DAY : `${clock(from, isTwelve)}–${clock(to, isTwelve)}`;
  if (note) return `${range} ${quoted(note)}`;
  return isUnsure ? t("{times}, perhaps", { times: range }) : range;
}

// What goes on a day: "8:00–12:00 and 13:00–17:00", "closed".
export function times({ spans, note, isUnsure }, isTwelve) {
  if (spans.length > 0) return listed(spans.map((each) => span(each, isTwelve)));
  if (isUnsure) return note ? quoted(note) : t("{times}, perhaps", { times: WHOLE_DAY });
  return note ? `${CLOSED} ${quoted(note)}` : CLOSED;
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
