// In a network's card: which keys of one's own are kept, a form to give one, and a button that removes one.
import { el, replace, setText } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { keyForm } from "./keyform.js";
import { complain, say } from "../ground/notices.js";
import { deleteKey, setKey } from "./networkkeys.js";
import { askFirst } from "../ground/sure.js";
import { t } from "../ground/text.js";
import { bare, day, plain } from "../ground/words.js";

// `changed()` is called when there is another key, or one less, and resolves when that is shown.
export function cardKeys(changed) {
  const about = el("p");
  const rows = el("div");
  const none = el("p");
  const give = el("button", { class: "button", onclick: ask });
  const asking = el("div");
  const element = el("div", { class: "network-keys" }, about, rows, none, give, asking);
  let keys;

  function ask() {
    const form = keyForm(keys, keep, end);
    replace(asking, form.element);
    give.hidden = true;
    form.focus();
  }

  async function keep(server, secret) {
    await setKey(keys.network, server, secret);
    say(keys.kept);
    await changed();
    end();
  }

  function end() {
    replace(asking);
    give.hidden = keys.servers.length === 0;
    give.focus();
  }

  async function remove(server) {
    try {
      await deleteKey(keys.network, server);
      say(keys.removed);
      await changed();
      give.focus();
    } catch (error) {
      complain(keys.notRemoved, error);
    }
  }

  function row({ server, setTime, problem }) {
    return el(
      "div", { class: "key-row" },
      el("p", {}, el("strong", {}, icon("check"), keys.kept), el("span", {}, facts(server, setTime))),
      removal(() => remove(server)),
      problem && el(
        "p", { class: "waits" }, icon("warning"), el("span", {}, plain(problem, t("It opens nothing now."))),
      ),
    );
  }

  const facts = (server, setTime) => [keys.isNamed && bare(server), setTime && t("given {day}", { day: day(setTime) })]
    .filter(Boolean).join(" · ");

  return {
    element,
    draw(next) {
      keys = next;
      const canGive = keys.servers.length > 0;
      setText(about, keys.about);
      replace(rows, keys.given.map(row));
      setText(none, canGive ? "" : keys.none);
      setText(give, keys.given.length > 0 ? keys.another : keys.give);
      if (!canGive) replace(asking);
      give.hidden = !canGive || asking.firstChild !== null;
    },
  };
}

function removal(run) {
  const button = el("button", { class: "button danger" }, icon("trash"), t("Remove"));
  return askFirst(button, { asking: (on) => button.lastChild.replaceWith(on ? t("Press again") : t("Remove")), run });
}
