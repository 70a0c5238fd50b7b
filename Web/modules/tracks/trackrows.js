// The account's tracks as rows: each with its length, climb and time, shown on the map by a press, and deleted.
import { el, replace } from "../ground/dom.js";
import { reasonOf } from "../ground/notices.js";
import { t } from "../ground/text.js";
import { listDot } from "../lists/lists.js";
import { colourOfTrack, deleteButton, factsOf, nameOf, showTrack } from "./tracklines.js";
import { allTracks, onTracks } from "./tracks.js";

// Nothing where there are none.
export function trackRows() {
  const rows = el("ul", { class: "lists" });
  const trouble = el("p", { class: "form-outcome", role: "alert" });
  const element = el("section", { class: "track-rows", hidden: true }, el("h2", {}, t("Tracks and areas")), rows, trouble);
  let isClosed = false;
  const stop = onTracks(load);
  load();

  async function load() {
    try {
      const tracks = await allTracks();
      if (isClosed) return;
      element.hidden = tracks.length === 0;
      replace(rows, tracks.map(rowOf));
    } catch (error) {
      element.hidden = false;
      trouble.textContent = `${t("The tracks can't be shown.")} ${reasonOf(error)}`;
    }
  }

  const rowOf = (track) => el(
    "li", { class: "list-row" },
    el(
      "button", { class: "list-open", onclick: () => showTrack(track) },
      listDot({ colour: `LIST_COLOUR_${colourOfTrack(track).toUpperCase()}` }),
      el(
        "span", { class: "row-text" }, el("span", { class: "row-name" }, nameOf(track)),
        el("span", { class: "row-more" }, factsOf(track)),
      ),
    ),
    deleteButton(track, trouble, () => {}, true),
  );

  return {
    element,
    close() {
      isClosed = true;
      stop();
    },
  };
}
