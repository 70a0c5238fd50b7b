// The form for a key of a network. The key leaves the field when it is sent, and is nowhere else.
import { el, setText } from "../ground/dom.js";
import { reasonOf } from "../ground/notices.js";
import { t } from "../ground/text.js";
import { bare, plain } from "../ground/words.js";

// `send(server, key)` is called with what was given; what it throws is shown, beside the field that it names.
export function keyForm({ keep, label, help, servers }, send, cancel) {
  const server = choice(servers);
  const key = input({
    type: "password", name: "key", autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 500,
    required: true,
  });
  const wrong = el("p", { class: "network-wrong", role: "alert" });
  const button = el("button", { class: "button primary" }, keep);
  const form = el(
    "form", { class: "contact key-form", autocomplete: "off" },
    servers.length > 1 && labelled(t("Server"), server), labelled(label, key), el("p", {}, help), wrong,
    el(
      "div", { class: "key-buttons" }, button,
      el("button", { class: "button", type: "button", onclick: cancel }, t("Cancel")),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const secret = key.field.value.trim();
    key.field.value = "";
    button.disabled = true;
    for (const text of [wrong, server.wrong, key.wrong]) setText(text, "");
    try {
      await send(server.field.value, secret);
    } catch (error) {
      show(error);
    }
    button.disabled = false;
  });

  // "key: the server does not accept the key" belongs to the field "key".
  function show(error) {
    const [, name, reason] = /^(\w+): (.*)$/s.exec(error.message) ?? [];
    const named = { server, key }[name];
    if (!named) return setText(wrong, untried(error));
    setText(named.wrong, reasonOf({ message: reason }));
    named.field.focus();
  }

  return { element: form, focus: () => (servers.length > 1 ? server : key).field.focus() };
}

function choice(servers) {
  const named = (server) => el("option", { value: server }, bare(server));
  return { field: el("select", { name: "server" }, servers.map(named)), wrong: alert() };
}

const input = (properties) => ({ field: el("input", properties), wrong: alert() });
const alert = () => el("p", { class: "network-wrong", role: "alert" });

const labelled = (text, { field, wrong }) =>
  el("div", { class: "key-field" }, el("label", {}, el("span", {}, text), field), wrong);

// The server's own sentence names an address, so only its end is for people.
function untried(error) {
  const [, reason] = /^the key could not be tried at \S+: (.*)$/s.exec(error.message) ?? [];
  if (reason === undefined) return reasonOf(error);
  return plain(
    `${t("The key could not be tried:")} ${reason}`, t("The key could not be tried: its server does not answer."),
  );
}
