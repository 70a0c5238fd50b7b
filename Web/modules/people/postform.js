// Where one puts oneself on the map: says where, looks whether that is meant, and adds a link.
import { change, read, readOnce } from "../server/api.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { talkingForm } from "../ground/form.js";
import { NAMES } from "./loginforms.js";
import { loginWays } from "./loginways.js";
import { coordinate, latLng, map } from "../map/map.js";
import { notice, reasonOf } from "../ground/notices.js";
import { showPanel } from "../map/panel.js";
import { markOf } from "./postmarks.js";
import { placeOf } from "./posttext.js";
import { back, go } from "../ground/router.js";
import { centre, showBox } from "../map/sight.js";
import { loading, nothing } from "../ground/states.js";
import { keepNear, letGo, near } from "../map/turns.js";
import { t } from "../ground/text.js";

const ACCOUNTS = "accounts.v1.AccountService";
const POSTS = "posts.v1.PostService";
// How many places a text may mean here.
const LIMIT = 5;

export function openPost() {
  const content = el("div", { class: "post-form" });
  const title = el("h1", {}, t("Put yourself on the map"));
  const head = el(
    "header", { class: "panel-head" },
    el(
      "div", { class: "panel-bar" },
      el("button", { class: "panel-back", onclick: leave }, icon("back"), t("On the map")),
    ),
    title,
  );
  let own; // The post that it takes the place of.
  let mark;
  let isClosed = false;

  showPanel({ head, content, label: t("Put yourself on the map"), stand: "half" });
  begin();

  async function begin() {
    const wait = (trouble) => isClosed || replace(content, loading(trouble, 3));
    wait();
    try {
      const [{ account }, { posts = [] }] = await Promise.all([
        read(`${ACCOUNTS}/GetProfile`, {}, wait), read(`${POSTS}/ListPosts`, {}, wait),
      ]);
      if (isClosed) return;
      own = posts.find((post) => post.own);
      if (own) replace(title, t("Change your post"));
      if (!account.email) stranger();
      else if (account.firstName || account.lastName) find();
      else name();
    } catch (error) {
      if (!isClosed) replace(content, nothing("warning", t("This can't be shown"), reasonOf(error)));
    }
  }

  function stranger() {
    replace(content, nothing("people", t("Not logged in"), t("Only an account can be on the map."), loginWays()));
  }

  function name() {
    ask(t("What is your name?"), talkingForm({
      fields: NAMES, button: t("Go on"),
      async send(values, signal) {
        if (!values.firstName && !values.lastName) {
          throw Object.assign(new Error("no name"), { fields: { firstName: t("One of the two is needed.") } });
        }
        await readOnce(`${ACCOUNTS}/UpdateProfile`, values, signal);
        if (!isClosed) find();
      },
    }));
  }

  function find(text = own?.place) {
    show();
    ask(t("Where are you?"), talkingForm({
      fields: [{ name: "text", label: t("A town or an address"), required: true, autocomplete: "off", maxlength: 300 }],
      button: t("Find on the map"), values: { text },
      async send({ text }, signal) {
        const matches = await matchesOf(text, signal);
        if (!isClosed) preview(text, matches);
      },
    }), el("p", { class: "section-note" }, t("All who use this server see your name, the place and a link.")));
  }

  function preview(text, matches) {
    let chosen = matches[0];
    const rows = matches.map((match) => el(
      "button", { class: "post-match", onclick: () => choose(match) },
      el("span", { class: "row-name" }, match.name), el("span", { class: "row-more" }, placeOf({ ...match, name: "" })),
    ));
    const form = talkingForm({
      fields: [{
        name: "link", label: t("Your link"), required: true, autocomplete: "url", inputmode: "url",
        autocapitalize: "none", spellcheck: "false", placeholder: "example.org",
      }],
      button: t("Finish"), values: { link: own?.link },
      more: el("button", { class: "button", type: "button", onclick: () => find(text) }, t("Another place")),
      send: ({ link }, signal) => post(chosen, link, signal),
    });
    function choose(match) {
      chosen = match;
      matches.forEach((each, at) => rows[at].setAttribute("aria-pressed", String(each === match)));
      show(match);
    }
    ask(
      matches.length > 1 ? t("Which one is it?") : t("Is it here?"), form,
      el("div", { class: "post-matches" }, rows),
    );
    content.append(el("p", { class: "section-note" }, sources(matches)));
    choose(chosen);
  }

  async function post(match, link, signal) {
    const request = { position: match.position, place: placeOf(match).slice(0, 200), link, overwrite: Boolean(own) };
    try {
      const answer = await change(`${POSTS}/CreatePost`, request, signal);
      if (isClosed) return;
      notice(own ? t("Your post is changed") : t("You are on the map"));
      go({ view: "posts", post: answer.post.id }, { replace: true });
    } catch (error) {
      if (error.code !== "already_exists") throw error;
      own = { link };
      throw Object.assign(error, {
        words: t("You have put yourself on the map elsewhere meanwhile. Finish once more to take its place."),
      });
    }
  }

  function ask(question, form, ...more) {
    replace(content, el("h2", {}, question), more, form.element);
    form.focus();
  }

  // The place that is meant, on the map.
  function show(match) {
    if (mark) letGo(mark.remove());
    mark = undefined;
    if (!match) return;
    mark = keepNear(markOf({ ...match, own: true }).addTo(map));
    if (match.box) showBox(match.box);
    else centre(near(latLng(match.position)), 15);
  }

  function leave() {
    back({ view: "posts" });
  }

  return {
    update() {},
    photos: () => undefined,
    placeName: () => "",
    close() {
      isClosed = true;
      show();
    },
  };
}

async function matchesOf(text, signal) {
  try {
    const request = { text, limit: LIMIT, bias: coordinate(map.getCenter()) };
    return (await readOnce("places.v1.PlacesService/Geocode", request, signal)).matches;
  } catch (error) {
    if (error.code !== "not_found") throw error;
    throw Object.assign(
      error, { words: t("“{text}” was not found. Look at the spelling, or add the country.", { text }) },
    );
  }
}

const sources = (matches) => [...new Set(matches.map(({ attribution }) => attribution))].filter(Boolean).join(" · ");
