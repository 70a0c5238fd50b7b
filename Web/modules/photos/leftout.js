// What of the folder of pictures is no photo, and why: for administrators, who can do something about it.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { reasonOf } from "../ground/notices.js";
import { back, go } from "../ground/router.js";
import { loading, nothing } from "../ground/states.js";
import { t, tn } from "../ground/text.js";
import { plain } from "../ground/words.js";
import { showPanel } from "../map/panel.js";
import { read } from "../server/api.js";

const METHOD = "photos.v1.PhotoService/ListLeftOutFiles";

const sentence = (total) => tn(
  total, "{n} file of the folder of pictures is left out", "{n} files of the folder of pictures are left out",
);

// The server's sentences in the reader's language; one of them names a file.
function reasonFor(reason) {
  const [, file] = /^it is a copy of (.+), which is shown$/.exec(reason) ?? [];
  return file ? t("It is a copy of {file}, which is shown", { file }) : plain(reason, reason);
}

// The way to the page, where there is something on it: `ask` looks.
export function leftOutLine() {
  const button = el("button", { class: "button", type: "button", onclick: () => go({ view: "leftout" }) });
  const element = el("p", { class: "section-note left-out", hidden: true }, button);
  return {
    element,
    ask() {
      read(METHOD, { pageSize: 1 }).then(({ totalCount = 0 }) => {
        element.hidden = Number(totalCount) === 0;
        setText(button, sentence(Number(totalCount)));
      }, () => {});
    },
  };
}

export function openLeftOut() {
  const tally = el("p", { class: "panel-sub" });
  const list = el("ul", { class: "left-out-files" });
  const note = el("div");
  const more = el("button", { class: "button", hidden: true, onclick: () => load() }, t("Show more"));
  const head = el(
    "header", { class: "panel-head" },
    el("div", { class: "panel-bar" }, el(
      "button", { class: "panel-back", onclick: () => back({ view: "settings" }) }, icon("back"), t("Settings"),
    )),
    el("h1", {}, t("Left out")), tally,
  );
  let next = "";
  let isClosed = false;

  const content = el("div", {}, list, note, el("div", { class: "more" }, more));
  showPanel({ head, content, label: t("Left out"), stand: "half" });
  replace(note, loading(undefined, 3));
  load();

  async function load() {
    more.disabled = true;
    try {
      draw(await read(METHOD, { pageToken: next }, (trouble) => {
        if (list.children.length === 0 && !isClosed) replace(note, loading(trouble, 3));
      }));
    } catch (error) {
      if (!isClosed) replace(note, nothing("warning", t("The files can't be shown"), reasonOf(error)));
    }
    more.disabled = false;
  }

  function draw({ files = [], nextPageToken = "", totalCount = 0, hasFolder = false }) {
    if (isClosed) return;
    next = nextPageToken;
    more.hidden = next === "";
    setText(tally, Number(totalCount) > 0 ? sentence(Number(totalCount)) : "");
    list.append(...files.map(({ path, reason }) => el(
      "li", {}, el("strong", {}, path), el("span", {}, reasonFor(reason)),
    )));
    const words = hasFolder
      ? [t("Nothing is left out"), t("Every picture in the folder is a photo.")]
      : [t("No folder of pictures"), t("This server has none to look through.")];
    replace(note, list.children.length === 0 && nothing("photo", words[0], words[1]));
  }

  return {
    update() {},
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
    },
  };
}
