// What is taken along for when there is no network: what the map shows can be, and what was is listed until it is
// removed.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { complain, reasonOf, say } from "../ground/notices.js";
import { showBounds } from "../map/sight.js";
import { L } from "../map/leaflet.js";
import { asEnded, lookAtArea, onTaking, takeAlong, takeRest, taking } from "./takealong.js";
import { canTake, removeArea, takenAreas } from "./takenareas.js";
import { t, tn } from "../ground/text.js";
import { bytes, day } from "../ground/words.js";

// How an area ended before all of it had come.
const WHY = {
  stopped: t("It was stopped. What has come stays."),
  full: t("This browser has no more room. What has come stays."),
  away: t("The server is not answering. What has come stays."),
  large: t("It is larger than it seemed. What has come stays."),
};

let isWished = false;

// The next time that the settings open they begin with it.
export const wishArea = () => { isWished = true; };

export function takenAlong() {
  const offer = el("div");
  const list = el("ul", { class: "taken-list" });
  const element = el(
    "div", { class: "taken" }, el("h2", {}, t("Taken along")),
    el("p", {}, t("Streets, pins, places and photos that stay in this browser for when there is no network.")),
    offer, list,
  );
  const looking = new AbortController();
  const stop = onTaking(draw);
  function drawOffer(...content) {
    if (!canTake()) return replace(offer, el("p", {}, t("Browsers keep a part of the map over https only.")));
    const words = t("Take along what the map shows");
    const button = el("button", { class: "button", onclick: look }, icon("download"), words);
    button.disabled = taking() !== undefined;
    replace(offer, button, ...content);
  }

  const line = (text) => el("p", { role: "status" }, text);

  async function look() {
    replace(offer, line(t("Looking how much that is…")));
    try {
      show(await lookAtArea(looking.signal));
    } catch (error) {
      if (!looking.signal.aborted) drawOffer(line(reasonOf(error)));
    }
  }

  function show(found) {
    if (found.isTooLarge) return drawOffer(line(t("This is too large to take along. Come closer.")));
    if (found.lent) {
      return drawOffer(line(t(
        "The streets come from another server: of those no more than {n} pieces may be taken along. Come closer.",
        { n: found.lent },
      )));
    }
    const photos = found.pictures.length / 2;
    const facts = [
      t("About {size}", { size: bytes(found.byteCount) }),
      tn(found.tiles.length, "{n} piece of the map", "{n} pieces of the map"),
      found.pins.length > 0 && tn(found.pins.length, "{n} pin", "{n} pins"),
      photos > 0 && tn(Math.ceil(photos), "{n} photo", "{n} photos"),
    ];
    const take = el("button", { class: "button primary", onclick: () => run(takeAlong(found)) }, t("Take along"));
    const cancel = el("button", { class: "button", onclick: () => drawOffer() }, t("Cancel"));
    const words = ` · ${facts.filter(Boolean).join(" · ")}`;
    replace(
      offer, el("p", { role: "status" }, el("strong", {}, found.area.name), words),
      el("div", { class: "taken-row" }, take, cancel),
    );
    take.focus();
  }

  async function run(work) {
    drawOffer();
    try {
      const { name, why } = await work;
      say(why ? WHY[why] : t("{name} is taken along.", { name }));
    } catch (error) {
      complain(t("It could not be taken along."), error);
    }
    drawOffer();
    draw();
  }

  async function draw() {
    const work = taking();
    const areas = await takenAreas();
    if (work && work === taking() && list.firstChild?.dataset?.area === work.area.id) {
      return setText(list.querySelector(".taken-facts"), progress(work));
    }
    const others = areas.filter(({ id }) => id !== work?.area.id);
    replace(list, work && under(work), others.map(asEnded).map(row));
  }

  const progress = ({ done, all, area }) => `${t("{done} of {all}", { done, all })} · ${bytes(area.byteCount)}`;

  const rowOf = (area, facts, ...buttons) => el(
    "li", { "data-area": area.id }, el(
      "div", { class: "row-text" }, el("strong", {}, area.name), el("span", { class: "taken-facts" }, facts),
      area.said && el("span", {}, area.said),
    ), el("div", { class: "taken-row" }, buttons),
  );

  const under = (work) => rowOf(
    work.area, progress(work), el("button", { class: "button", onclick: () => work.stop() }, t("Stop")),
  );

  function row(area) {
    const { name, time, byteCount, missing, why } = area;
    const said = why ? WHY[why] : missing > 0 && tn(missing, "{n} piece did not come.", "{n} pieces did not come.");
    const [south, west, north, east] = area.edges;
    const rest = el("button", { class: "button", onclick: () => run(takeRest(area, looking.signal)) },
      t("Take the rest"));
    rest.disabled = !canTake() || taking() !== undefined;
    return rowOf(
      { ...area, said }, `${bytes(byteCount)} · ${day(time)}`, said && rest,
      el("button", {
        class: "button", "aria-label": t("Show {name}", { name }),
        onclick: () => showBounds(L.latLngBounds([south, west], [north, east])),
      }, t("Show")),
      el(
        "button", { class: "button", "aria-label": t("Remove {name}", { name }), onclick: () => remove(area) },
        t("Remove"),
      ),
    );
  }

  async function remove(area) {
    await removeArea(area);
    say(t("{name} is removed.", { name: area.name }));
    await draw();
  }

  drawOffer();
  draw();
  if (isWished && canTake() && !taking()) look();
  if (isWished) requestAnimationFrame(() => element.scrollIntoView({ block: "start" }));
  isWished = false;

  return {
    element,
    close() {
      looking.abort();
      stop();
    },
  };
}
