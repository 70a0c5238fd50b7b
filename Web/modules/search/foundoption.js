// One row of what was found: what it is, its name, where it is, how far.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { kindOf } from "../places/kinds.js";
import { t } from "../ground/text.js";
import { category, distance } from "../ground/words.js";

const KINDS = {
  FIND_KIND_COORDINATES: { word: t("Position"), mark: "locate" },
  FIND_KIND_COUNTRY: { word: t("Country"), mark: "networks" },
  FIND_KIND_REGION: { word: t("Region"), mark: "all" },
  FIND_KIND_TOWN: { word: t("Town"), mark: "places" },
  FIND_KIND_ADDRESS: { word: t("Address"), mark: "waymark" },
  FIND_KIND_STREET: { word: t("Street"), mark: "move" },
  FIND_KIND_INTERSECTION: { word: t("Crossing"), mark: "move" },
  FIND_KIND_POSTCODE: { word: t("Postcode"), mark: "all" },
};

// "Museum" for a place, "Town" for a town.
export const wordOf = (result) => KINDS[result.kind]?.word ?? category(result);

export function optionOf(result, index, run) {
  const kind = KINDS[result.kind] ? "area" : kindOf(result);
  return el(
    "li", { id: `found-${index}`, class: "found-row", role: "option", "aria-selected": "false", onclick: run },
    el("span", { class: "found-mark", "data-kind": kind }, icon(KINDS[result.kind]?.mark ?? kind)),
    el(
      "span", { class: "row-text" }, el("span", { class: "row-name" }, result.name),
      el("span", { class: "row-more" }, [wordOf(result), result.context].filter(Boolean).join(" · ")),
    ),
    result.distanceM !== undefined && el("span", { class: "found-distance" }, distance(result.distanceM)),
  );
}
