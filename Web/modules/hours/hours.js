// What the server says of a place's hours, in words: what goes now, and the coming week.
import { isClosed, isUnsure, weekOf, weekRows } from "./hoursweek.js";
import { capital, clock, dayNames, quoted, WHOLE_DAY } from "./hourswords.js";
import { isEnglish, locale, t } from "../ground/text.js";

const DAY_MS = 86_400_000;

// As the browser's language has it.
export function isTwelveHours() {
  return new Intl.DateTimeFormat(isEnglish ? undefined : locale, { hour: "numeric" }).resolvedOptions().hour12 === true;
}

// { state, isOpen, rows: [days, times] }, `state` only where it is known; undefined where the hours can't be read.
export function hoursInWords(hours, { now, isTwelve }) {
  if (!hours?.read) return undefined;
  const zone = hours.timeZone;
  const week = weekOf(hours.days ?? [], dateIn(zone, now));
  const rows = weekRows(week, isTwelve).map(([label, text]) => [capital(label), text]);
  const isOpen = hours.state === "OPEN_STATE_OPEN";
  const isAlways = isOpen && !hours.changeTime && rows.length === 1 && rows[0][1] === WHOLE_DAY;
  if (isAlways) return { state: t("Always open"), isOpen, rows: [] };
  const isOne = rows.length === 1 && !hours.changeTime;
  if (isOne && week.every(isClosed)) {
    return { state: t("Closed"), isOpen, rows: week[0].note ? [["", quoted(week[0].note)]] : [] };
  }
  const shown = isOne && week.every(isUnsure) ? [["", rows[0][1]]] : rows;
  return { state: stateWords(hours, now, isTwelve), isOpen, rows: shown };
}

// "Open now, until 18:00", "Closed, opens tomorrow at 9:00"
function stateWords(hours, now, isTwelve) {
  const change = hours.changeTime && whenOf(new Date(hours.changeTime), now, hours.timeZone, isTwelve);
  switch (hours.state) {
    case "OPEN_STATE_OPEN": return change ? endWords(change) : t("Open now");
    case "OPEN_STATE_CLOSED":
      if (change && hours.nextState === "OPEN_STATE_OPEN") return startWords(change);
      return hours.remark ? `${t("Closed now")} ${quoted(hours.remark)}` : t("Closed now");
    default: return undefined;
  }
}

function endWords({ ahead, day, time, isSoon }) {
  if (ahead === 0 || isSoon) return t("Open now, until {time}", { time });
  if (ahead === 1) return t("Open now, until tomorrow at {time}", { time });
  return t("Open now, until {day} at {time}", { day, time });
}

function startWords({ ahead, day, time }) {
  if (ahead === 0) return t("Closed, opens at {time}", { time });
  if (ahead === 1) return t("Closed, opens tomorrow at {time}", { time });
  return ahead < 7
    ? t("Closed, opens on {day} at {time}", { day, time }) : t("Closed, opens next {day} at {time}", { day, time });
}

// By the clock of the place. The end of a day is 24:00 of it.
function whenOf(change, now, zone, isTwelve) {
  const [today, there] = [dateIn(zone, now), dateIn(zone, change)];
  const minutes = there.getUTCHours() * 60 + there.getUTCMinutes();
  const isMidnight = minutes === 0;
  const days = Math.floor(there.getTime() / DAY_MS) - Math.floor(today.getTime() / DAY_MS) - (isMidnight ? 1 : 0);
  return {
    ahead: days, isSoon: change.getTime() - now.getTime() < DAY_MS, time: clock(isMidnight ? 1440 : minutes, isTwelve),
    day: dayNames([(today.getUTCDay() + 6 + days) % 7]),
  };
}

// What a clock there shows, as if it were of UTC.
function dateIn(zone, date) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone || "UTC", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric",
  }).formatToParts(date);
  const [year, month, day, hour, minute] = ["year", "month", "day", "hour", "minute"]
    .map((type) => Number(parts.find((part) => part.type === type)?.value));
  return new Date(Date.UTC(year, month - 1, day, hour, minute));
}
