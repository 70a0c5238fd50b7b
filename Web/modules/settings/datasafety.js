// What would be left if the server's machine were gone: its backups, and what it replicates. For administrators, who
// alone can do something about it, and see places and reasons as they are.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { reasonOf } from "../ground/notices.js";
import { loading } from "../ground/states.js";
import { t } from "../ground/text.js";
import { duration, moment } from "../ground/words.js";
import { read } from "../server/api.js";
import { entrance } from "../server/entrance.js";

const METHOD = "gateway.v1.DataSafetyService/GetDataSafety";
// What is less late than this is on its way, in seconds.
const LATE = 10;

const DAILY = t("{command} makes one each day, on another disk or in a bucket.", { command: "waymark up --backup PLACE" });
const PROVE = t("{command} makes one and proves it.", { command: "waymark backup --to PLACE --verify-every 1" });

// By what the server says first: a title, what to do, and whether all is well.
const FINDINGS = {
  BACKUP_FINDING_GOOD: { title: t("Backed up and proven"), isWell: true },
  BACKUP_FINDING_UNPROVEN: { title: t("Backed up, but not proven yet"), advice: PROVE },
  BACKUP_FINDING_PROOF_OLD: { title: t("The last proof of a backup is old"), advice: PROVE },
  BACKUP_FINDING_OLD: { title: t("The last backup is old"), advice: DAILY },
  BACKUP_FINDING_FAILED: { title: t("The last backup failed") },
  BACKUP_FINDING_NONE: { title: t("There is no backup of this server"), advice: DAILY },
  BACKUP_FINDING_IN_POSTGRESQL: {
    title: t("The records are in PostgreSQL"), advice: t("Its own tools make backups. Waymark knows nothing of them."),
    isWell: true,
  },
};
const UNKNOWN = {
  title: t("Nothing is known of backups"),
  advice: t("A part of the server is not running, or what is noted of them can't be read."),
};
const NAMES = { pins: t("Pins"), photos: t("Photos"), places: t("Places") };

export function dataSafety() {
  const body = el("div");
  const element = el("section", { class: "safety", hidden: true }, el("h2", {}, t("Backups")), body);
  let isClosed = false;
  open();

  async function open() {
    const account = entrance.account() ?? await read("accounts.v1.AccountService/GetProfile").then(
      (answer) => answer.account, () => undefined);
    if (isClosed || !account?.roles?.includes("ROLE_ADMIN")) return;
    element.hidden = false;
    load();
  }

  async function load() {
    const wait = (trouble) => isClosed || replace(body, loading(trouble, 2));
    wait();
    try {
      const { backup = {}, replications = [] } = await read(METHOD, {}, wait);
      if (!isClosed) replace(body, el("ul", {}, backupRow(backup), replicationRows(replications)));
    } catch (error) {
      if (isClosed) return;
      element.hidden = error.code === "permission_denied";
      replace(
        body, el("p", { class: "safety-why" }, reasonOf(error)),
        el("button", { class: "button", type: "button", onclick: load }, t("Try again")),
      );
    }
  }

  return {
    element,
    close() {
      isClosed = true;
    },
  };
}

function backupRow({ finding, place, madeTime, provenTime, trouble }) {
  const { title, advice, isWell } = FINDINGS[finding] ?? UNKNOWN;
  return row(isWell, title, [
    madeTime && t("Last made: {when}, at {place}", { when: moment(madeTime), place }),
    provenTime && t("Last brought back and compared: {when}", { when: moment(provenTime) }),
    finding === "BACKUP_FINDING_FAILED" && sentence(trouble), advice,
  ]);
}

// One row for all that is as it should be, or is not done; one for each service that is late, fails or is away.
function replicationRows(replications) {
  const own = replications.filter(({ state }) => !state?.inPostgresql);
  const of = (filter) => own.filter(({ state }) => state && filter(state));
  const kept = of(({ place, trouble, behind }) => place && !trouble && secondsOf(behind) < LATE);
  const [first] = kept;
  return [
    first && row(true, t("Changes are stored elsewhere as they are made"), [
      first.state.before
        ? t("At {place}, each before it is acknowledged.", { place: first.state.place })
        : t("At {place}, within about a second.", { place: first.state.place }),
    ]),
    of(({ place }) => !place).length > 0 && row(false, t("Changes since the last backup are stored nowhere else"), [
      t("{command} stores them within a second.", { command: "waymark up --replicate PLACE" }),
    ]),
    of((state) => state.place && !kept.some((each) => each.state === state)).map(({ service, state }) => row(
      false, t("{things}: {time} behind", { things: nameOf(service), time: duration(secondsOf(state.behind)) }),
      [t("Changes are to be stored at {place}.", { place: state.place }), sentence(state.trouble)],
    )),
    own.filter(({ state }) => !state).map(({ service }) => row(
      false, t("{things}: no answer", { things: nameOf(service) }),
      [t("Part of the server is not running. Whether its changes are stored elsewhere is not known.")],
    )),
  ];
}

const nameOf = (service) => NAMES[service] ?? service;
const sentence = (text = "") => text.slice(0, 1).toUpperCase() + text.slice(1);
// "12.5s"
const secondsOf = (text = "0s") => Number.parseFloat(text);

const row = (isWell, title, texts) => el(
  "li", { class: isWell ? "well" : undefined }, icon(isWell ? "check" : "warning"),
  el("div", {}, el("strong", {}, title), texts.filter(Boolean).map((text) => el("span", {}, text))),
);
