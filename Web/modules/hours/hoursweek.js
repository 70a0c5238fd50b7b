// Lays rules over the days of a week: a later rule stands in for earlier ones on the days that it names.
import { WEEK } from "./hoursrules.js";
import { isNumeric } from "./hoursspans.js";

// Seven days, each { spans, note } or undefined where no rule names it; undefined when the meaning isn't certain.
export function weekOf(rules) {
  const week = WEEK.map(() => undefined);
  for (const [index, rule] of rules.entries()) {
    if (leavesNothing(rule, rules.slice(0, index))) return undefined;
    for (const number of rule.days ?? WEEK) {
      const day = changed(week[number], rule);
      if (!day) return undefined;
      week[number] = day;
    }
  }
  return week;
}

// "Mo-Fr 10:00-18:00; 10:00-15:00": by the grammar only the last rule counts. Its writer hardly meant so.
function leavesNothing(rule, earlier) {
  if (rule.link === "," && rule.state !== "off" || rule.state === "off" && rule.spans.length > 0) return false;
  return earlier.some(({ days }) => (days ?? WEEK).every((day) => !rule.days || rule.days.includes(day)));
}

function changed(day, rule) {
  const fresh = dayOfRule(rule);
  const { spans } = fresh;
  if (rule.state === "off" && spans.length > 0) return without(day ?? { spans: [] }, spans);
  if (rule.state === "off" || !day || day.spans.length === 0) return fresh;
  if (rule.link === ",") return joined(day, spans);
  // "Mo-Su 11:00-24:00; Sa-Su 00:00-02:00": by the grammar the second replaces the first; most mean both.
  return spans.length === 0 || spans.some((span) => day.spans.some((old) => overlap(span, old))) ? fresh : undefined;
}

// A day on which nothing but this rule goes.
export function dayOfRule(rule) {
  const spans = rule.spans.map((span) => ({ ...span, isUnsure: rule.state === "unknown" || undefined }));
  if (spans.every(isNumeric)) spans.sort((a, b) => a.from - b.from);
  // What is said of a rule is said behind its last span.
  if (spans.length > 0) spans[spans.length - 1].note = rule.note;
  const isBare = spans.length === 0;
  return { spans, note: isBare ? rule.note : undefined, isUnsure: isBare && rule.state === "unknown" };
}

const overlap = (a, b) => !isNumeric(a) || !isNumeric(b) || a.from < (b.to ?? Infinity) && b.from < (a.to ?? Infinity);
const isPlain = (span) => isNumeric(span) && !span.isOpenEnd && !span.note && !span.isUnsure;

function joined(day, added) {
  let spans = day.spans;
  for (const span of added) {
    const touched = spans.filter((old) => overlap(old, span));
    if (touched.length > 0 && ![span, ...touched].every(isPlain)) return undefined;
    const from = Math.min(span.from, ...touched.map((old) => old.from));
    const to = Math.max(span.to, ...touched.map((old) => old.to));
    spans = [...spans.filter((old) => !touched.includes(old)), touched.length > 0 ? { from, to } : span];
  }
  if (!spans.every(isNumeric)) return undefined;
  return { ...day, spans: spans.toSorted((a, b) => a.from - b.from) };
}

// "Mo-Fr 8:00-17:00; Mo-Fr 12:00-13:00 off"
function without(day, closed) {
  if (![...day.spans, ...closed.map((span) => ({ ...span, note: undefined }))].every(isPlain)) return undefined;
  const spans = closed.reduce((left, { from, to }) => left.flatMap((span) => (overlap(span, { from, to })
    ? [{ from: span.from, to: Math.min(span.to, from) }, { from: Math.max(span.from, to), to: span.to }]
    : [span])), day.spans);
  return { ...day, spans: spans.filter(({ from, to }) => from < to) };
}
