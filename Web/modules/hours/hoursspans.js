// Reads the spans of a day: "08:00-12:00, 13:00-02:00", "18:00+", "10:00-sunset". Minutes since the day's beginning;
// where the sun decides, { event, shift }. Each reader gives undefined for what it can't read.
const DAY = 1440;
const EVENTS = ["sunrise", "sunset", "dawn", "dusk"];

export const isNumeric = ({ from, to }) => typeof from === "number" && (to === undefined || typeof to === "number");

// None where no time stands. A bare hour ("Sa 10-18") is read only behind days: "Jun 10-18" has dates.
export function readSpans(tokens, areHoursRead) {
  const spans = [];
  while (startsSpan(tokens, 0, areHoursRead)) {
    const span = readSpan(tokens, areHoursRead);
    if (!span) return undefined;
    spans.push(span);
    // Behind a comma another rule may begin as well.
    if (tokens.next("sign") !== "," || !startsSpan(tokens, 1, areHoursRead)) break;
    tokens.takeSign(",");
  }
  return spans;
}

function startsSpan(tokens, ahead, areHoursRead) {
  return tokens.next("time", ahead) !== undefined || EVENTS.includes(tokens.next("word", ahead))
    || tokens.next("sign", ahead) === "(" || areHoursRead && tokens.next("number", ahead) !== undefined;
}

function readSpan(tokens, areHoursRead) {
  const from = readTime(tokens, areHoursRead);
  if (from === undefined || from >= DAY) return undefined;
  if (tokens.takeSign("+")) return { from, isOpenEnd: true };
  if (!tokens.takeSign("-")) return undefined;
  // "16:00-" is how some write "16:00+".
  if (tokens.isAtEnd || [",", ";", "||"].includes(tokens.next("sign"))) return { from, isOpenEnd: true };
  const isShort = tokens.next("digits") === 1;
  const to = readTime(tokens, areHoursRead);
  if (to === undefined) return undefined;
  const isOpenEnd = tokens.takeSign("+") || undefined;
  if (typeof from !== "number" || typeof to !== "number") return { from, to: to === 0 ? DAY : to, isOpenEnd };
  // "9-5" ends in the afternoon, not at night as the grammar has it.
  if (to <= from && isShort || to > from + DAY || to === from && to > 0) return undefined;
  return { from, to: to <= from ? to + DAY : to, isOpenEnd };
}

function readTime(tokens, areHoursRead) {
  const time = tokens.take("time");
  if (time !== undefined) return time;
  const hour = areHoursRead ? tokens.next("number") : undefined;
  if (hour !== undefined) return tokens.next("digits") <= 2 && hour <= 24 ? tokens.take("number") * 60 : undefined;
  const event = tokens.takeWord(EVENTS);
  return event ? { event, shift: 0 } : readShifted(tokens);
}

// "(sunset-00:30)"
function readShifted(tokens) {
  if (!tokens.takeSign("(")) return undefined;
  const event = tokens.takeWord(EVENTS);
  const sign = tokens.takeSign("+") ? 1 : -1;
  if (!event || sign < 0 && !tokens.takeSign("-")) return undefined;
  const shift = tokens.take("time");
  return shift !== undefined && tokens.takeSign(")") ? { event, shift: sign * shift } : undefined;
}
