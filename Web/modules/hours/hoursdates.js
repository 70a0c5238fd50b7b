// The dates of a rule: "May-Sep", "Jun 06-Aug 13", "Dec 24,25", "2027 Jul 1 - 2027 Aug 8".

// Ranges of { year, month, day }; none where no date stands, undefined for what can't be read.
export function readDates(tokens) {
  const ranges = [];
  if (!startsDate(tokens, 0)) return ranges;
  for (;;) {
    const range = readRange(tokens, ranges.at(-1)?.from);
    if (!range) return undefined;
    ranges.push(range);
    if (tokens.next("sign") !== ",") break;
    const isDay = range.from.day !== undefined && tokens.next("number", 1) !== undefined;
    if (!isDay && !startsDate(tokens, 1)) return undefined;
    tokens.takeSign(",");
  }
  tokens.takeSign(":");
  return ranges;
}

function startsDate(tokens, ahead) {
  return tokens.next("month", ahead) !== undefined
    || tokens.next("digits", ahead) === 4 && tokens.next("month", ahead + 1) !== undefined;
}

function readRange(tokens, before) {
  const from = readDate(tokens, before);
  if (!from) return undefined;
  if (!tokens.takeSign("-")) return { from, to: from };
  const to = readDate(tokens, from);
  // "Jun 5-Aug" and "Jun-Aug 15" don't say enough; nor does a year at the end alone.
  const isEven = to && (from.day === undefined) === (to.day === undefined);
  if (!isEven || (from.year === undefined) !== (to.year === undefined)) return undefined;
  return { from, to: JSON.stringify(from) === JSON.stringify(to) ? from : to };
}

// What is left out is as in the date before.
function readDate(tokens, before) {
  const year = (tokens.next("digits") === 4 ? tokens.take("number") : undefined) ?? before?.year;
  const month = tokens.take("month");
  if (month === undefined && (before?.day === undefined || tokens.next("number") === undefined)) return undefined;
  const day = tokens.take("number");
  const known = month ?? before.month;
  // A leap year, as 29 February goes for these.
  const isReal = day === undefined || day >= 1 && new Date(2024, known, day).getMonth() === known;
  return isReal ? { year, month: known, day } : undefined;
}

const first = ({ month, day }) => month * 100 + (day ?? 0);
const last = ({ month, day }) => month * 100 + (day ?? 99);

export function isInDates(ranges, date) {
  const at = date.getMonth() * 100 + date.getDate();
  return ranges.some(({ from, to }) => {
    if (from.year !== undefined) {
      const full = date.getFullYear() * 10_000 + at;
      return full >= from.year * 10_000 + first(from) && full <= to.year * 10_000 + last(to);
    }
    // "Sep-May" goes over the turn of the year.
    const isOver = first(from) > last(to);
    return isOver ? at >= first(from) || at <= last(to) : at >= first(from) && at <= last(to);
  });
}

export function arePast(ranges, date) {
  const now = date.getFullYear() * 10_000 + date.getMonth() * 100 + date.getDate();
  return ranges.length > 0 && ranges.every(({ to }) => to.year !== undefined && to.year * 10_000 + last(to) < now);
}
