// The coming week as the server has it, from Monday on.
import { CLOSED, dayNames, times, WEEK } from "./hourswords.js";

const STATES = { OPEN_STATE_OPEN: "open", OPEN_STATE_CLOSED: "closed" };

// Seven days, each { spans, note, isUnsure }; the server's begin with that of `today`.
export function weekOf(days, today) {
  const first = (today.getUTCDay() + 6) % 7;
  return WEEK.map((day) => dayOf(days[(day - first + 7) % 7]?.spans ?? []));
}

function dayOf(spans) {
  const known = spans.map(({ startMinute = 0, endMinute = 0, state, remark }) => ({
    from: startMinute, to: endMinute, note: remark, state: STATES[state] ?? "unknown",
  }));
  const closed = known.find(({ state }) => state === "closed");
  const open = known.filter(({ state }) => state !== "closed");
  const isWhole = open.length === 1 && open[0].from === 0 && open[0].to === 1440;
  if (isWhole && open[0].state === "unknown") return { spans: [], note: open[0].note, isUnsure: true };
  return {
    spans: open.map(({ state, ...span }) => ({ ...span, isUnsure: state === "unknown" })),
    note: open.length === 0 ? closed?.note : undefined,
  };
}

export const isUnsure = (day) => Boolean(day.isUnsure);
export const isClosed = (day) => day.spans.length === 0 && !day.isUnsure;

// Days with the same times together, from Monday on, closed ones last.
export function weekRows(week, isTwelve) {
  const groups = new Map();
  for (const day of WEEK) {
    const text = times(week[day], isTwelve);
    groups.set(text, [...groups.get(text) ?? [], day]);
  }
  const rows = [...groups].map(([text, days]) => [dayNames(days), text]);
  const isLast = (row) => row[1] === CLOSED;
  return [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)];
}
