// The rows of datasafety.js: what is said of backups, and of what each service replicates. A row speaks only for those
// that it names, or for all.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { t, tn } from "../ground/text.js";
import { duration, listed, moment } from "../ground/words.js";

// What is less late than this is on its way, in seconds.
const LATE = 10;
// Of a row: whether all is well, is not, or is for others to say; and its drawing.
const MARKS = { well: "check", bad: "warning", open: "note" };

const DAILY = t(
  "{command} makes one each day, on another disk or in a bucket.", { command: "waymark up --backup PLACE" });
const PROVE = t("{command} makes one and proves it.", { command: "waymark backup --to PLACE --verify-every 1" });
const ITS_OWN = t("Its own tools make backups. Waymark knows nothing of them.");

// By what the server says first: a title, what to do, and the mark, where it is not bad.
const FINDINGS = {
  BACKUP_FINDING_GOOD: { title: t("Backed up and proven"), mark: "well" },
  BACKUP_FINDING_UNPROVEN: { title: t("Backed up, but not proven yet"), advice: PROVE },
  BACKUP_FINDING_PROOF_OLD: { title: t("The last proof of a backup is old"), advice: PROVE },
  BACKUP_FINDING_OLD: { title: t("The last backup is old"), advice: DAILY },
  BACKUP_FINDING_FAILED: { title: t("The last backup failed") },
  BACKUP_FINDING_NONE: { title: t("There is no backup that this server knows of"), advice: DAILY },
  BACKUP_FINDING_IN_POSTGRESQL: { title: t("The records are in PostgreSQL"), advice: ITS_OWN, mark: "open" },
};
const UNKNOWN = {
  title: t("Nothing is known of backups"),
  advice: t("A part of the server gave no answer, or what is noted of them can't be read."),
};
const NAMES = { pins: t("Pins"), photos: t("Photos"), places: t("Places") };

// Of the answer of GetDataSafety.
export function safetyRows({ backup, replications = [] }) {
  const isSaid = backup?.finding === "BACKUP_FINDING_IN_POSTGRESQL";
  return [backupRow(backup ?? {}), replicationRows(replications), isSaid ? undefined : serverRows(replications)];
}

function backupRow({ finding, place, madeTime, provenTime, trouble }) {
  const { title, advice, mark = "bad" } = FINDINGS[finding] ?? UNKNOWN;
  return row(mark, title, [
    madeTime && t("Last made: {when}, at {place}", { when: moment(madeTime), place }),
    provenTime && t("Last brought back and compared: {when}", { when: moment(provenTime) }),
    finding === "BACKUP_FINDING_FAILED" && sentence(trouble), advice,
  ]);
}

// One row for those that are kept at the same place in the same way, one for those that are not; one for each service
// that is late, fails, has not stored all of before, or is away.
function replicationRows(all) {
  const own = all.filter(({ state }) => !state?.inPostgresql);
  const of = (filter) => own.filter(({ state }) => state && filter(state));
  const isFine = ({ place, trouble, behind }) => place && !trouble && secondsOf(behind) < LATE;
  const kept = groups(of((state) => isFine(state) && state.isWhole));
  const off = of(({ place }) => !place);
  return [
    kept.map((some) => keptRow(some, all)),
    off.length > 0 && row("bad", off.length === all.length
      ? t("Changes since the last backup are stored nowhere else")
      : t("{things}: changes since the last backup are stored nowhere else", { things: namesOf(off) }), [
      t("{command} stores them within a second.", { command: "waymark up --replicate PLACE" }),
    ]),
    of((state) => state.place && !isFine(state)).map(({ service, state }) => row(
      "bad", t("{things}: {time} behind", { things: nameOf(service), time: duration(secondsOf(state.behind)) }),
      [toBeAt(state), sentence(state.trouble)],
    )),
    of((state) => isFine(state) && !state.isWhole).map(waitingRow),
    own.filter(({ state }) => !state).map(({ service }) => row(
      "bad", t("{things}: no answer", { things: nameOf(service) }),
      [t("It gave no answer in time. Whether its changes are stored elsewhere is not known.")],
    )),
  ];
}

// By place, and by when a change is stored there.
function groups(kept) {
  const found = new Map();
  for (const each of kept) {
    const key = `${each.state.before} ${each.state.place}`;
    found.set(key, [...found.get(key) ?? [], each]);
  }
  return [...found.values()];
}

function keptRow(some, all) {
  const [{ state: { before, place } }] = some;
  const title = some.length === all.length
    ? t("Changes are stored elsewhere as they are made")
    : t("{things}: changes are stored elsewhere as they are made", { things: namesOf(some) });
  return row("well", title, [
    before
      ? t("At {place}, each before it is acknowledged.", { place })
      : t("At {place}, within about a second.", { place }),
  ]);
}

function waitingRow({ service, state }) {
  const [things, pictures] = [nameOf(service), Number(state.waitingPictures ?? 0)];
  // Those of before are not counted.
  const title = pictures > 0
    ? tn(
      pictures, "{things}: {n} picture is still to be stored", "{things}: {n} pictures are still to be stored",
      { things },
    )
    : t("{things}: what was there before is not all stored yet", { things });
  return row("bad", title, [toBeAt(state)]);
}

// Backups that are noted have nothing of them.
function serverRows(all) {
  const some = all.filter(({ state }) => state?.inPostgresql);
  if (some.length === 0) return undefined;
  const title = some.length === all.length
    ? t("The records are in PostgreSQL") : t("{things}: the records are in PostgreSQL", { things: namesOf(some) });
  return row("open", title, [ITS_OWN]);
}

const toBeAt = ({ place }) => t("Changes are to be stored at {place}.", { place });
const nameOf = (service) => NAMES[service] ?? service;
const namesOf = (some) => listed.format(some.map(({ service }) => nameOf(service)));
const sentence = (text = "") => text.slice(0, 1).toUpperCase() + text.slice(1);
// "12.5s"
const secondsOf = (text = "0s") => Number.parseFloat(text);

const row = (mark, title, texts) => el(
  "li", { class: mark }, icon(MARKS[mark]),
  el("div", {}, el("strong", {}, title), texts.filter(Boolean).map((text) => el("span", {}, text))),
);
