// Cuts a value of OpenStreetMap's opening_hours into its words, times and signs.

// OpenStreetMap's own limit is 255 characters. What is longer is not read, so no value from outside takes long.
const LONGEST = 500;
const TOKEN = /(\d{1,2}):(\d{2})(?!\d)|(\d{1,4})(?!\d)|([a-z]+)|"([^"]+)"|(\|\||[-–,;:+()/])/iy;

export const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
export const MONTHS = [
  "january", "february", "march", "april", "may", "june",
  "july", "august", "september", "october", "november", "december",
];

// Undefined where there is something else. A time is in minutes.
export function tokensOf(value) {
  const text = String(value).trim();
  if (text.length > LONGEST) return undefined;
  const tokens = [];
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at])) {
      at += 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = tokenOf(TOKEN.exec(text));
    if (!token) return undefined;
    tokens.push(token);
    at = TOKEN.lastIndex;
  }
  return tokens;
}

function tokenOf(match) {
  if (!match) return undefined;
  const [, hours, minutes, number, word, note, sign] = match;
  if (hours) return minutes < 60 && hours <= 48 ? { time: hours * 60 + Number(minutes) } : undefined;
  if (number) return { number: Number(number), digits: number.length };
  if (word) return wordOf(word.toLowerCase());
  if (note) return note.trim() && { note: note.trim() };
  return { sign: sign === "–" ? "-" : sign };
}

// "Mo" and "Jun", and as many more letters of the name as there are.
function wordOf(word) {
  const day = word.length < 2 ? -1 : DAYS.findIndex((name) => name.startsWith(word));
  if (day >= 0) return { day };
  const month = word.length < 3 ? -1 : MONTHS.findIndex((name) => name.startsWith(word));
  return month < 0 ? { word } : { month };
}

// Goes through the tokens.
export class Tokens {
  at = 0;

  constructor(tokens) {
    this.tokens = tokens;
  }

  // What the next one is: next("day") is undefined when it is no day.
  next(kind, ahead = 0) {
    return this.tokens[this.at + ahead]?.[kind];
  }

  get isAtEnd() {
    return this.at >= this.tokens.length;
  }

  take(kind) {
    const value = this.next(kind);
    if (value !== undefined) this.at += 1;
    return value;
  }

  takeSign(sign) {
    return this.next("sign") === sign && this.take("sign");
  }

  takeWord(words) {
    return words.includes(this.next("word")) ? this.take("word") : undefined;
  }
}
