// Opening hours as OpenStreetMap writes them, in words: what goes now, and the week.
import { isClockNear, stateAt } from "./hoursnow.js";
import { planOf } from "./hoursplan.js";
import { dayOfRule } from "./hoursweek.js";
import { capital, clock, dateNames, dayNames, EVERY_DAY, quoted, times, weekRows } from "./hourswords.js";

const DAY = 1440;

// As the browser's language has it.
export function isTwelveHours() {
  return new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hour12 === true;
}

// { state, isOpen, rows: [days, times] }, `state` only where it is certain; undefined where the value can't be read.
export function hoursInWords(value, { now, longitude, isTwelve }) {
  const plan = planOf(value, now);
  if (!plan) return undefined;
  const isSame = plan.isUsual && plan.seasons.length + plan.holidays.length === 0 && !plan.otherwise;
  const texts = new Set(plan.week.map((day) => times(day ?? { spans: [] }, isTwelve)));
  const [all] = texts.size === 1 && isSame ? texts : [];
  if (all === "24 hours") return { state: "Always open", isOpen: true, rows: [] };
  if (all === "closed") return { state: "Closed", isOpen: false, rows: [] };
  if (all?.startsWith("closed ")) return { state: "Closed", isOpen: false, rows: [["", all.slice(7)]] };
  const rows = all?.startsWith("“") ? [["", all]] : rowsOf(plan, isTwelve);
  const state = isClockNear(longitude, now) ? stateAt(plan, now) : undefined;
  return { state: state && stateWords(state, now, isTwelve), isOpen: state?.isOpen, rows };
}

function rowsOf(plan, isTwelve) {
  const usual = plan.isUsual ? weekRows(plan.week, isTwelve, { isWhole: true }) : [];
  const holidays = plan.holidays.map((rule) => [holidayNames(rule.holidays), holidayTimes(rule, isTwelve)]);
  const otherwise = plan.otherwise ? [["otherwise", quoted(plan.otherwise.note)]] : [];
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
  if (isPublic && isOfSchools) return "public and school holidays";
  return isPublic ? "public holidays" : "school holidays";
}

function holidayTimes(rule, isTwelve) {
  const isPart = rule.state === "off" && rule.spans.length > 0;
  const text = `${isPart ? "closed " : ""}${times(dayOfRule(rule), isTwelve)}`;
  return rule.within ? `${dayNames(rule.within)} ${text}` : text;
}

// "Open now, until 18:00", "Closed, opens tomorrow at 9:00"
function stateWords({ isOpen, at, isHolidayApart }, now, isTwelve) {
  // Which days are holidays isn't known here.
  const apart = isHolidayApart ? ", unless it is a public holiday" : "";
  if (isOpen && !Number.isFinite(at)) return `Open now${apart}`;
  if (isOpen) return `Open now, until ${endWords(at, now, isTwelve)}${apart}`;
  return at === undefined ? "Closed now" : `Closed, opens ${startWords(at, now, isTwelve)}`;
}

function endWords(at, now, isTwelve) {
  const minute = now.getHours() * 60 + now.getMinutes();
  // A night belongs to its evening.
  if (at - minute < DAY) return clock(at > DAY ? at - DAY : at, isTwelve);
  const ahead = Math.ceil(at / DAY) - 1;
  return `${dayAhead(ahead, now)} at ${clock(at - ahead * DAY, isTwelve)}`;
}

function startWords(at, now, isTwelve) {
  const ahead = Math.floor(at / DAY);
  const time = clock(at - ahead * DAY, isTwelve);
  if (ahead === 0) return `at ${time}`;
  return ahead === 1 ? `tomorrow at ${time}` : `${ahead < 7 ? "on" : "next"} ${dayAhead(ahead, now)} at ${time}`;
}

function dayAhead(ahead, now) {
  return ahead === 1 ? "tomorrow" : dayNames([(now.getDay() + 6 + ahead) % 7]);
}
