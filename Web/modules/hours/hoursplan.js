// What an opening_hours value says as a whole: the usual week, weeks of some dates, holidays, and what else goes.
import { rulesOf } from "./hoursrules.js";
import { weekOf } from "./hoursweek.js";
import { arePast, isInDates } from "./hoursdates.js";

// Undefined for a value that can't be read, or that may mean several things: never words that are wrong.
export function planOf(value, now) {
  const rules = rulesOf(value)?.filter(({ dates }) => !arePast(dates, now));
  if (!rules) return undefined;
  const otherwise = rules.at(-1)?.link === "||" && rules.length > 1 ? rules.pop() : undefined;
  if (otherwise && !isRemark(otherwise) || rules.slice(1).some(({ link }) => link === "||")) return undefined;
  const holidays = rules.filter((rule) => rule.holidays.length > 0);
  const ofDays = rules.filter((rule) => rule.holidays.length === 0 || rule.days);
  if (ofDays.length === 0 || !areCertain(holidays)) return undefined;
  const usual = ofDays.filter(({ dates }) => dates.length === 0);
  // "Jun-Aug Mo-Fr 10:00-18:00; Sa 10:00-15:00": does June go for the Saturday too? Not certain.
  if (usual.some((rule, index) => rule !== ofDays[index])) return undefined;
  const week = weekOf(usual);
  const seasons = seasonsOf(ofDays.slice(usual.length), week);
  // "Sa,Su off" says nothing of the other days.
  const saysEnough = ofDays.some(({ state }) => state !== "off") || week?.every(Boolean);
  return week && seasons && saysEnough ? { week, seasons, holidays, otherwise, isUsual: usual.length > 0 } : undefined;
}

// "|| "on appointment"": for all the other time.
function isRemark(rule) {
  return Boolean(rule.note) && rule.spans.length + rule.dates.length + rule.holidays.length === 0 && !rule.days;
}

// Each holiday stands in one rule, or in several of different days: "SH Mo-Fr 10:00-18:00; SH Sa 10:00-14:00".
function areCertain(rules) {
  return rules.every((rule, index) => rule.dates.length === 0 && rules.slice(0, index).every((other) => {
    const isShared = other.holidays.some((holiday) => rule.holidays.includes(holiday));
    return !isShared || rule.within && other.within && !rule.within.some((day) => other.within.includes(day));
  }));
}

function seasonsOf(rules, usual) {
  const byDates = new Map();
  for (const rule of rules) {
    const key = JSON.stringify(rule.dates);
    byDates.set(key, [...byDates.get(key) ?? [], rule]);
  }
  const seasons = [...byDates.values()].map((group) => ({ dates: group[0].dates, week: weekOf(group), group }));
  const isCertain = seasons.every(({ week, group }) => week && group.every((rule) => {
    // Times taken out of the usual week, or put besides it, are more than is read here.
    if (rule.state === "off" && rule.spans.length > 0) return false;
    const isBeside = rule.link === "," && rule.state !== "off" && group.indexOf(rule) === 0;
    return !isBeside || !usual || week.every((day, index) => !day || !usual[index]);
  }));
  return isCertain ? seasons : undefined;
}

// The spans and the note of a date, which may fall into several seasons: the last one counts.
export function dayOf(plan, date) {
  const number = (date.getDay() + 6) % 7;
  const season = plan.seasons.findLast(({ dates, week }) => week[number] && isInDates(dates, date));
  return season?.week[number] ?? plan.week[number] ?? { spans: [] };
}
