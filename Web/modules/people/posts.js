// Who is on the map: the last 100 posts as marks and as a table, and one's own.
import { L } from "../map/leaflet.js";
import { act, read } from "../server/api.js";
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { loginWays } from "./loginways.js";
import { latLng } from "../map/map.js";
import { complain, notice, reasonOf } from "../ground/notices.js";
import { setStand, showPanel } from "../map/panel.js";
import { postMarks } from "./postmarks.js";
import { linkOf } from "./posttext.js";
import { back, go, route } from "../ground/router.js";
import { showBounds } from "../map/sight.js";
import { loading, nothing } from "../ground/states.js";
import { askFirst } from "../ground/sure.js";
import { near } from "../map/turns.js";
import { t, tn } from "../ground/text.js";
import { moment } from "../ground/words.js";

const POSTS = "posts.v1.PostService";
// As close as the map comes to a single one by itself.
const CLOSEST = 10;

export function openPosts() {
  const tally = el("p", { class: "panel-sub" });
  const again = el("button", {
    class: "round", "aria-label": t("Look again"), title: t("Look again"), onclick: () => load(),
  }, icon("refresh"));
  const put = el("button", { class: "button primary", hidden: true, onclick: () => go({ view: "post" }) });
  const tab = (label, stand) => el("button", { onclick: () => setStand(stand) }, label);
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: () => back({ view: "home" }) }, icon("back"), t("Pins")),
      el("span", { class: "spread" }), again,
    ),
    el("h1", {}, t("On the map")), tally,
    el(
      "div", { class: "post-bar" },
      el(
        "div", { class: "tabs", role: "group", "aria-label": t("Show") }, tab(t("Map"), "low"), tab(t("Table"), "full"),
      ), put,
    ),
  );
  const content = el("div", { class: "posts" });
  const marks = postMarks((post) => {
    if (post || route().post) choose(post);
  });
  let rows = new Map();
  let posts; // Undefined until they are there.
  let shown;
  let isClosed = false;

  showPanel({ head, content, label: t("On the map"), stand: "half" });
  load();

  async function load() {
    const wait = (trouble) => isClosed || posts || replace(content, loading(trouble, 4));
    wait();
    again.disabled = true;
    try {
      const [{ account }, answer] = await Promise.all([
        read("accounts.v1.AccountService/GetProfile", {}, wait), read(`${POSTS}/ListPosts`, {}, wait),
      ]);
      if (isClosed) return;
      const isFirst = !posts;
      posts = answer.posts ?? [];
      draw(Boolean(account.email));
      if (route().post) choose(posts.find(({ id }) => id === route().post));
      else if (isFirst) fit();
    } catch (error) {
      if (isClosed) return;
      if (posts) complain(t("The posts could not be read."), error);
      else replace(content, nothing("warning", t("The posts can't be shown"), reasonOf(error)));
    } finally {
      again.disabled = false;
    }
  }

  function draw(isMember) {
    const own = posts.find((post) => post.own);
    put.hidden = !isMember;
    replace(put, icon("drop"), own ? t("Change your post") : t("Put yourself on the map"));
    setText(tally, posts.length > 0 ? tn(posts.length, "{n} post", "{n} posts") : "");
    rows = new Map(posts.map((post) => [post.id, rowOf(post)]));
    replace(
      content, !isMember && el(
        "div", { class: "post-ways" }, el("p", {}, t("Log in to put yourself on the map.")), loginWays(),
      ),
      posts.length > 0 ? el("ul", {}, [...rows.values()])
        : nothing("people", t("No one is on the map"), t("Be the first: say where you are, and add a link.")),
    );
    marks.show(posts);
    shown = undefined;
    light();
  }

  function rowOf(post) {
    return el(
      "li", { class: "post-row" },
      el(
        "button", { class: "post-who", onclick: () => choose(post) },
        el("span", { class: "row-name" }, post.author), el("span", { class: "row-more" }, post.place),
        el("span", { class: "row-more" }, moment(post.updateTime)),
      ),
      linkOf(post), post.own && el("div", { class: "post-own" }, el("span", { class: "mark" }, t("You")), remover()),
    );
  }

  function remover() {
    const word = el("span", {}, t("Delete"));
    return askFirst(el("button", { class: "quiet-link" }, word), {
      asking: (on) => setText(word, on ? t("Sure?") : t("Delete")),
      async run() {
        try {
          await act(`${POSTS}/DeletePost`);
          notice(t("You are not on the map any more"));
          if (!isClosed) go({ view: "posts" }, { replace: true });
          await load();
        } catch (error) {
          complain(t("Your post could not be deleted."), error);
        }
      },
    });
  }

  // The address says which one is chosen; a post that is gone is none.
  function choose(post) {
    go({ view: "posts", post: post?.id }, { replace: true });
    light();
  }

  function light() {
    const post = posts?.find(({ id }) => id === route().post);
    if (post === shown) return;
    shown = post;
    for (const [id, row] of rows) row.classList.toggle("lit", id === post?.id);
    rows.get(post?.id)?.scrollIntoView({ block: "nearest" });
    marks.open(post);
  }

  function fit() {
    if (posts.length === 0) return;
    showBounds(L.latLngBounds(posts.map(({ position }) => near(latLng(position)))), { maxZoom: CLOSEST });
  }

  return {
    update: light,
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
      marks.close();
    },
  };
}
