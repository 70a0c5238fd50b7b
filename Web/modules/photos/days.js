// An album in parts: all of it as it was found, or by the day on which each photo was taken.
import { t } from "../ground/text.js";
import { takenDay } from "../ground/words.js";

export const ORDERS = { "": t("As found"), day: t("By day") };

// `photos` in parts of an order: [{title, photos}]. The newest day comes first, what has none last.
export function partsOf(photos, order) {
  if (order !== "day") return [{ title: "", photos }];
  const days = new Map();
  // By the clocks where it was taken, as its day is.
  const taken = ({ takenTime, takenOffsetMinutes = 0 }) =>
    (takenTime ? new Date(takenTime).getTime() + takenOffsetMinutes * 60_000 : 0);
  for (const photo of [...photos].sort((a, b) => taken(b) - taken(a))) {
    const title = takenDay(photo) ?? t("Day not known");
    days.set(title, [...days.get(title) ?? [], photo]);
  }
  return [...days].map(([title, some]) => ({ title, photos: some }));
}
