// Whether a place is open now, and until when or from when; undefined when that isn't certain.
import { dayOf } from "./hoursplan.js";
import { isNumeric } from "./hoursspans.js";
import { dayOfRule } from "./hoursweek.js";

const DAY = 1440;
// An open end ("18:00+") is over at six in the morning at the latest; what goes by the sun, at noon.
const MORNING = DAY + 360;
const NOON = DAY + 720;
const AHEAD = 8;

// Hours are local to the place, and `now` is the browser's clock. The place's time zone isn't known, and is not worked
// out from its position: zones follow borders and summers. So when the zone that the place would have at sea is more
// than two hours from the browser's, nothing is said of now. Up to that much zones differ from the sea's by themselves.
export function isClockNear(longitude, now) {
  const atSea = Math.round(longitude / 15);
  return Math.abs(atSea + now.getTimezoneOffset() / 60) <= 2;
}

// { isOpen, at, isHolidayApart }: `at` is in minutes of today, of later days beyond 1440; without it no end is known,
// and with Infinity there is none.
export function stateAt(plan, now) {
  // School holidays last for weeks, and aren't known here.
  if (plan.holidays.some(({ holidays }) => holidays.includes("sh"))) return undefined;
  const spans = spansAround(plan, now);
  const minute = now.getHours() * 60 + now.getMinutes();
  const sure = spans.filter(({ isUnsure }) => !isUnsure);
  const unsure = spans.filter(({ isUnsure }) => isUnsure);
  const apart = plan.holidays.filter((rule) => spansOf(dayOfRule(rule)) !== spansOf(dayOf(plan, now)));
  const isHolidayApart = apart.length > 0;
  const current = sure.find((span) => holds(span, minute));
  if (current) return { isOpen: true, at: endOf(current, sure, unsure), isHolidayApart };
  if (unsure.some((span) => holds(span, minute)) || plan.otherwise) return undefined;
  // On a holiday it may be open.
  if (apart.some(({ state }) => state !== "off")) return undefined;
  const next = spans.filter(({ from }) => from > minute).sort((a, b) => a.from - b.from)[0];
  return { isOpen: false, at: next?.doesOpen ? next.from : undefined, isHolidayApart };
}

const spansOf = ({ spans }) => JSON.stringify(spans);
const holds = ({ from, to }, minute) => from <= minute && minute < to;

// Spans that follow each other without a gap are one: open from Friday's morning until Sunday's night.
function endOf(span, sure, unsure) {
  let end = span.to;
  for (let next = span; next; next = sure.find((other) => holds(other, end))) end = next.to;
  if (unsure.some((other) => holds(other, end))) return undefined;
  return end >= (AHEAD - 1) * DAY ? Infinity : end;
}

// From yesterday on, whose night may reach into today, in minutes of today.
function spansAround(plan, now) {
  const spans = [];
  for (let ahead = -1; ahead < AHEAD; ahead += 1) {
    const day = dayOf(plan, new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead));
    const onDay = day.isUnsure ? [{ from: 0, to: DAY, isUnsure: true }] : day.spans.flatMap(certainty);
    const later = ahead * DAY;
    spans.push(...onDay.map((span) => ({ ...span, from: span.from + later, to: span.to + later })));
  }
  return spans;
}

// What is certain of a span, and what isn't; `doesOpen` says whether its beginning is.
function certainty({ from, to, isOpenEnd, isUnsure }) {
  const doesOpen = typeof from === "number" && !isUnsure;
  if (!isNumeric({ from, to })) return [{ from: doesOpen ? from : 0, to: NOON, isUnsure: true, doesOpen }];
  const known = to === undefined ? [] : [{ from, to, isUnsure, doesOpen }];
  if (!isOpenEnd) return known;
  const end = { from: to ?? from, to: Math.max(MORNING, to ?? 0), isUnsure: true };
  return [...known, { ...end, doesOpen: doesOpen && to === undefined }];
}
