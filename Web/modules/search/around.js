// What is around the middle of the map, without a pin: places, pins, photos and people in one list, nearest first. It
// fills as the answers come; each kind says how it went, and Why what each took.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { aroundRow } from "./aroundrow.js";
import { chosenArea, onArea, reachOf } from "./chosenarea.js";
import { LIMITS } from "../ground/limits.js";
import { placeDots } from "../places/dots.js";
import { visibleMiddle } from "../map/free.js";
import { coordinate, latLng, map } from "../map/map.js";
import { liveNetworks } from "../networks/livenetworks.js";
import { reasonOf } from "../ground/notices.js";
import { showPanel } from "../map/panel.js";
import { back, go } from "../ground/router.js";
import { reveal } from "../map/sight.js";
import { loading, nothing } from "../ground/states.js";
import { stream } from "../server/stream.js";
import { waterfall } from "../ground/waterfall.js";
import { number, t } from "../ground/text.js";
import { networkName, networkOf, plain } from "../ground/words.js";

const KINDS = { places: t("Places"), pins: t("Pins"), photos: t("Photos"), posts: t("People") };
const RADIUS_M = 2000;
const [, WIDEST_M] = LIMITS.ExploreRequest.radiusM;
const LIMIT = 50;
// A kind that is later than this comes by itself.
const BUDGET = "0.150s";

export function openAround() {
  const again = el("button", { class: "quiet-link", onclick: () => look() }, t("Look here again"));
  const why = el("button", {
    class: "quiet-link around-why", hidden: true, "aria-expanded": "false", onclick() {
      why.setAttribute("aria-expanded", String(!isExplained()));
      draw();
    },
  }, t("Why"));
  const isExplained = () => why.getAttribute("aria-expanded") === "true";
  const chips = Object.fromEntries(Object.entries(KINDS).map(([kind, word]) => [kind, chipOf(kind, word)]));
  const kinds = el("div", { class: "around-kinds", role: "group", "aria-label": t("Show") }, Object.values(chips));
  const title = el("h1", {}, t("Around here"));
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Pins")),
      el("span", { class: "spread" }), why, again,
    ),
    title,
    kinds,
  );
  const content = el("div", { class: "around" });
  const dots = placeDots((place) => choose(all.places.find(({ id }) => id === place.id), "places"));
  const hidden = new Set();
  /** @type {Record<string, any>} */
  let all = {};
  let waiting = []; // Names of kinds and networks that have not answered.
  let plan;
  let asking;

  showPanel({ head, content, label: t("Around here"), stand: "half" });
  look();
  const unhear = onArea(look);

  function chipOf(kind, word) {
    const chip = el("button", {
      class: "chip", "aria-pressed": "true", onclick() {
        if (!hidden.delete(kind)) hidden.add(kind);
        chip.setAttribute("aria-pressed", String(!hidden.has(kind)));
        draw();
      },
    }, icon("check"), word, el("b", {}, "…"));
    return chip;
  }

  // Networks that are asked now have chips of their own.
  function offer(networks) {
    for (const network of networks) {
      if (chips[network]) continue;
      chips[network] = chipOf(network, networkName(network));
      kinds.append(chips[network]);
    }
  }

  async function look() {
    asking?.abort();
    const own = new AbortController();
    asking = own;
    all = {};
    plan = undefined;
    why.hidden = true;
    replace(content, loading(undefined, 4));
    const area = chosenArea();
    setText(title, area ? t("In {name}", area) : t("Around here"));
    // An area chooses only places, and networks are asked about circles.
    const networks = area ? [] : await liveNetworks();
    if (own.signal.aborted) return;
    offer(networks);
    waiting = [...(area ? ["places"] : Object.keys(KINDS)), ...networks];
    for (const [name, chip] of Object.entries(chips)) {
      chip.hidden = !waiting.includes(name);
      mark(name, "…", "");
    }
    const middle = map.containerPointToLatLng(visibleMiddle());
    const radiusM = area ? Math.min(reachOf(area, middle) ?? WIDEST_M, WIDEST_M) : RADIUS_M;
    const question = {
      centre: coordinate(middle), radiusM, limit: LIMIT, budget: BUDGET, explain: true, liveNetworks: networks,
      area: area?.id, branches: area && ["places"],
    };
    try {
      const answers = stream("gateway.v1.ExploreService/ExploreStream", question, own.signal);
      for await (const { additions = {}, done } of answers) {
        if (own.signal.aborted) return;
        if (done) explain(additions.plan);
        else take(additions);
      }
    } catch (error) {
      if (own.signal.aborted) return;
      replace(content, nothing("warning", t("This can't be shown now"), reasonOf(error)));
    }
  }

  function take(additions) {
    for (const { name, code = 0, message, count = 0, truncated } of additions.branches ?? []) {
      waiting = waiting.filter((other) => other !== name);
      if (KINDS[name] && name !== "places") all[name] = additions[name] ?? [];
      if (code === 0) mark(name, `${number(count)}${truncated ? "+" : ""}`, "");
      else mark(name, "!", sentence(name, message));
    }
    // Those of a network that answers later come behind the others.
    all.places = [...(all.places ?? []), ...(additions.places ?? [])];
    draw();
  }

  // The server says networks by their names at it.
  const sentence = (name, message) => {
    const words = message?.replace(new RegExp(`\\b(the )?${name}\\b`, "gi"), KINDS[name] ?? networkName(name));
    return plain(words, t("{name}: no answer.", { name: KINDS[name] ?? networkName(name) }));
  };

  function explain(done) {
    plan = done;
    why.hidden = plan === undefined;
    draw();
  }

  function mark(kind, text, fault) {
    setText(chips[kind].lastChild, text);
    chips[kind].classList.toggle("failed", fault !== "");
    chips[kind].title = fault;
  }

  function draw() {
    const isShown = (kind, { id }) => !hidden.has(kind) && !(kind === "places" && hidden.has(networkOf(id)));
    const things = Object.entries(all).flatMap(([kind, some]) =>
      some.filter((thing) => isShown(kind, thing)).map((thing) => ({ kind, thing })));
    things.sort((one, other) => (one.thing.distanceM ?? 0) - (other.thing.distanceM ?? 0));
    const faults = Object.values(chips).map(({ title }) => title).filter(Boolean);
    const isComplete = waiting.length === 0;
    replace(
      content, isExplained() && plan && waterfall(plan),
      faults.map((text) => el("p", { class: "waits" }, icon("warning"), el("span", {}, text))),
      things.length > 0 ? el("ul", {}, things.map(row))
        : isComplete && nothing("places", t("Nothing is around here"), t("Move the map, and look again.")),
      !isComplete && loading(undefined, 1),
    );
    dots.show(things.filter(({ kind }) => kind === "places").map(({ thing }) => thing));
  }

  const row = ({ kind, thing }) => aroundRow(kind, thing, () => choose(thing, kind));

  function choose(thing, kind) {
    if (kind === "pins") return go({ view: "pin", pin: thing.id });
    if (kind === "posts") return go({ view: "posts", post: thing.id });
    if (kind === "places") dots.light(thing, true);
    else reveal(latLng(thing.position));
  }

  return {
    update: () => undefined,
    photos: () => undefined,
    placeName: () => "",
    close() {
      unhear();
      asking?.abort();
      dots.close();
    },
  };
}
