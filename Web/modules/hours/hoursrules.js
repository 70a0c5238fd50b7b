// Reads the rules of an opening_hours value, of the common part of its grammar:
// https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
import { Tokens, tokensOf } from "./hourstokens.js";
import { readDates } from "./hoursdates.js";
import { readSpans } from "./hoursspans.js";

const STATES = { open: "open", off: "off", closed: "off", unknown: "unknown" };
const HOLIDAYS = ["ph", "sh"];
export const WEEK = [0, 1, 2, 3, 4, 5, 6];

// Undefined for a value that holds anything else: it is shown as it is then.
export function rulesOf(value) {
  const list = tokensOf(value);
  if (!list) return undefined;
  const tokens = new Tokens(list);
  const rules = [];
  let link = ";";
  while (!tokens.isAtEnd) {
    const rule = readRule(tokens);
    if (!rule) return undefined;
    rules.push({ ...rule, link });
    link = readLink(tokens, rule);
    if (!link) return undefined;
  }
  return rules.length > 0 ? rules : undefined;
}

// How a rule goes together with those before it: ";" in their stead on its days, "," besides them, "||" where none is.
function readLink(tokens, rule) {
  for (const sign of [";", "||", ","]) {
    if (!tokens.takeSign(sign)) continue;
    while (sign === ";" && tokens.takeSign(";")) continue;
    return tokens.isAtEnd && sign !== ";" ? undefined : sign;
  }
  // Some leave it out: "Mo-Fr 8:00-19:00 Sa 9:00-19:00".
  const isNext = tokens.next("day") !== undefined || HOLIDAYS.includes(tokens.next("word"));
  return tokens.isAtEnd || isNext && rule.spans.length > 0 ? ";" : undefined;
}

function readRule(tokens) {
  const start = tokens.at;
  const dates = readDates(tokens);
  const days = dates && readDays(tokens);
  if (!days) return undefined;
  const always = readAlways(tokens);
  const spans = always ?? readSpans(tokens, days.days !== undefined);
  if (!spans) return undefined;
  const word = tokens.takeWord(Object.keys(STATES));
  const note = tokens.take("note");
  // A comment alone says on what it depends, not that it is open.
  const state = word ? STATES[word] : note ? "unknown" : "open";
  // "Mo-Fr" without a time is all day by the grammar, but seldom meant so.
  const isVague = spans.length === 0 && (state === "open" || state === "unknown" && !note);
  return isVague || tokens.at === start ? undefined : { dates, ...days, spans, state, note };
}

function readAlways(tokens) {
  const is = tokens.next("number") === 24 && tokens.next("sign", 1) === "/" && tokens.next("number", 2) === 7;
  if (!is) return undefined;
  tokens.at += 3;
  return [{ from: 0, to: 1440 }];
}

// "Mo-Fr,PH": `days`, none named is undefined; `holidays`, and with "SH Mo-Fr" the days of these.
function readDays(tokens) {
  const found = readDayList(tokens);
  if (!found) return undefined;
  const { days, holidays } = found;
  const isOfThese = holidays.length > 0 && days.length === 0 && tokens.next("day") !== undefined;
  const within = isOfThese ? readDayList(tokens) : undefined;
  if (isOfThese && (!within || within.holidays.length > 0)) return undefined;
  if (days.length > 0 || holidays.length > 0) tokens.takeSign(":");
  return { days: days.length > 0 ? days : undefined, holidays, within: within?.days };
}

function readDayList(tokens) {
  const [days, holidays] = [[], []];
  const isHoliday = (ahead) => HOLIDAYS.includes(tokens.next("word", ahead));
  const startsItem = (ahead) => tokens.next("day", ahead) !== undefined || isHoliday(ahead);
  while (startsItem(0)) {
    const holiday = tokens.takeWord(HOLIDAYS);
    const range = holiday ? [] : readDayRange(tokens);
    if (!range) return undefined;
    if (holiday) holidays.push(holiday);
    days.push(...range);
    if (tokens.next("sign") !== "," || !startsItem(1)) break;
    tokens.takeSign(",");
  }
  return { days: WEEK.filter((day) => days.includes(day)), holidays };
}

// "Sa-Mo" goes over the week's end.
function readDayRange(tokens) {
  const from = tokens.take("day");
  if (!tokens.takeSign("-")) return [from];
  const to = tokens.take("day");
  return to === undefined ? undefined : WEEK.slice(0, (to - from + 7) % 7 + 1).map((step) => (from + step) % 7);
}
