// What other accounts share with one: pins and lists, and who shares each.
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { read } from "../server/api.js";
import { loginWays } from "../people/loginways.js";
import { reasonOf } from "../ground/notices.js";
import { showPanel } from "../map/panel.js";
import { back, go } from "../ground/router.js";
import { loading, nothing } from "../ground/states.js";
import { t } from "../ground/text.js";
import { day } from "../ground/words.js";

export function openSharedWithMe() {
  const note = el("div");
  const rows = el("ul", { class: "lists" });
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Map"),
    )),
    el("h1", {}, t("Shared with me")),
  );
  let isClosed = false;

  showPanel({ head, content: el("div", {}, note, rows), label: t("Shared with me"), stand: "half" });
  load();

  async function load() {
    const wait = (trouble) => !isClosed && replace(note, loading(trouble, 3));
    wait();
    try {
      const { account } = await read("accounts.v1.AccountService/GetProfile", {}, wait);
      if (!account.email) return stranger();
      const { shared = [] } = await read("shares.v1.GrantService/ListSharedWithMe", {}, wait);
      if (!isClosed) draw(shared);
    } catch (error) {
      if (!isClosed) replace(note, nothing("warning", t("What is shared can't be shown"), reasonOf(error)));
    }
  }

  function stranger() {
    if (!isClosed) replace(
      note, nothing("people", t("Not logged in"), t("Things are shared with accounts alone."), loginWays()),
    );
  }

  function draw(shared) {
    const how = t("Who has a pin or a list can share it with you, by the address that you log in with.");
    replace(note, shared.length === 0 && nothing("people", t("Nothing is shared with you"), how));
    replace(rows, shared.map(rowOf));
  }

  const rowOf = ({ id, name, isList, right, ownerName, createTime }) => el(
    "li", { class: "list-row" },
    el(
      "button", { class: "list-open", onclick: () => go({ view: "shared", shared: id }) },
      el("span", { class: "list-pin" }, icon(isList ? "select" : "drop")),
      el(
        "span", { class: "row-text" }, el("span", { class: "row-name" }, name),
        el("span", { class: "row-more" }, [
          t("by {name}", { name: ownerName }), right === "GRANT_RIGHT_ADD_PHOTOS" && t("you may add photos"),
          t("since {day}", { day: day(createTime) }),
        ].filter(Boolean).join(" · ")),
      ),
    ),
  );

  return {
    update: () => undefined,
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
    },
  };
}
