// Opening hours as OpenStreetMap writes them, in words: what goes now, and the week.
import { isClockNear, stateAt } from "./hoursnow.js";
import { planOf } from "./hoursplan.js";
import { dayOfRule } from "./hoursweek.js";
import {
  capital, clock, CLOSED, dateNames, dayNames, EVERY_DAY, quoted, times, weekRows, WHOLE_DAY,
} from "./hourswords.js";
import { isEnglish, locale, t } from "../ground/text.js";

const DAY = 1440;

// As the browser's language has it.
export function isTwelveHours() {
  return new Intl.DateTimeFormat(isEnglish ? undefined : locale, { hour: "numeric" }).resolvedOptions().hour12 === true;
}

// { state, isOpen, rows: [days, times] }, `state` only where it is certain; undefined where the value can't be read.
export function hoursInWords(value, { now, longitude, isTwelve }) {
  const plan = planOf(value, now);
  if (!plan) return undefined;
  const isSame = plan.isUsual && plan.seasons.length + plan.holidays.length === 0 && !plan.otherwise;
  const texts = new Set(plan.week.map((day) => times(day ?? { spans: [] }, isTwelve)));
  const [all] = texts.size === 1 && isSame ? texts : [];
  if (all === WHOLE_DAY) return { state: t("Always open"), isOpen: true, rows: [] };
  if (all === CLOSED) return { state: t("Closed"), isOpen: false, rows: [] };
  if (all?.startsWith(`${CLOSED} `)) {
    return { state: t("Closed"), isOpen: false, rows: [["", all.slice(CLOSED.length + 1)]] };
  }
  const rows = all?.startsWith("“") ? [["", all]] : rowsOf(plan, isTwelve);
  const state = isClockNear(longitude, now) ? stateAt(plan, now) : undefined;
  return { state: state && stateWords(state, now, isTwelve), isOpen: state?.isOpen, rows };
}

function rowsOf(plan, isTwelve) {
  const usual = plan.isUsual ? weekRows(plan.week, isTwelve, { isWhole: true }) : [];
  const holidays = plan.holidays.map((rule) => [holidayNames(rule.holidays), holidayTimes(rule, isTwelve)]);
  const otherwise = plan.otherwise ? [[t("otherwise"), quoted(plan.otherwise.note)]] : [];
  const seasons = plan.seasons.flatMap((season) => seasonRows(season, isTwelve));
  return [...usual, ...holidays, ...otherwise, ...seasons].map(([label, text]) => [capital(label), text]);
}

// The dates stand above their week, or beside the times that go on each day.
function seasonRows({ dates, week }, isTwelve) {
  const rows = weekRows(week, isTwelve, { isWhole: false });
  const [[days, text]] = rows;
  return days === EVERY_DAY ? [[dateNames(dates), text]] : [[`${dateNames(dates)}:`, ""], ...rows];
}

function holidayNames(holidays) {
  const [isPublic, isOfSchools] = [holidays.includes("ph"), holidays.includes("sh")];
  if (isPublic && isOfSchools) return t("public and school holidays");
  return isPublic ? t("public holidays") : t("school holidays");
}

function holidayTimes(rule, isTwelve) {
  const isPart = rule.state === "off" && rule.spans.length > 0;
  const text = `${isPart ? `${CLOSED} ` : ""}${times(dayOfRule(rule), isTwelve)}`;
  return rule.within ? `${dayNames(rule.within)} ${text}` : text;
}

// "Open now, until 18:00", "Closed, opens tomorrow at 9:00"
function stateWords({ isOpen, at, isHolidayApart }, now, isTwelve) {
  // Which days are holidays isn't known here.
  const apart = (state) => (isHolidayApart ? t("{state}, unless it is a public holiday", { state }) : state);
  if (isOpen) return apart(Number.isFinite(at) ? endWords(at, now, isTwelve) : t("Open now"));
  return at === undefined ? t("Closed now") : startWords(at, now, isTwelve);
}

function endWords(at, now, isTwelve) {
  const minute = now.getHours() * 60 + now.getMinutes();
  // A night belongs to its evening.
  if (at - minute < DAY) return t("Open now, until {time}", { time: clock(at > DAY ? at - DAY : at, isTwelve) });
  const ahead = Math.ceil(at / DAY) - 1;
  const time = clock(at - ahead * DAY, isTwelve);
  if (ahead === 1) return t("Open now, until tomorrow at {time}", { time });
  return t("Open now, until {day} at {time}", { day: dayAhead(ahead, now), time });
}

function startWords(at, now, isTwelve) {
  const ahead = Math.floor(at / DAY);
  const time = clock(at - ahead * DAY, isTwelve);
  if (ahead === 0) return t("Closed, opens at {time}", { time });
  if (ahead === 1) return t("Closed, opens tomorrow at {time}", { time });
  const day = dayAhead(ahead, now);
  return ahead < 7
    ? t("Closed, opens on {day} at {time}", { day, time }) : t("Closed, opens next {day} at {time}", { day, time });
}

const dayAhead = (ahead, now) => dayNames([(now.getDay() + 6 + ahead) % 7]);
