// The prompt for a token, on a server that needs one. The cookie that comes back can't be read by any script.
import { el, icon } from "./dom.js";

const WRONG = "That is not the token.";
const NO_COOKIE = "That is right, but this browser keeps no cookie of this address. Use https or allow cookies.";

// Resolves when the server has accepted a token. `problem` says why it is needed after all.
export function askForToken(problem = "") {
  return new Promise((resolve) => {
    const field = el("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
    const wrong = el("p", { class: "login-wrong", role: "alert" }, problem);
    const form = el(
      "form", { method: "dialog" },
      el("div", { class: "login-mark" }, icon("waymark")),
      el("h2", {}, "This map is private"),
      el("label", { for: "token" }, "Token of this server"),
      field,
      wrong,
      el("button", { class: "button primary" }, "Open the map"),
    );
    const dialog = el("dialog", { class: "login", "aria-label": "Log in" }, form);
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      wrong.textContent = "";
      const refusal = await logIn({ token: field.value }, WRONG);
      if (refusal) {
        wrong.textContent = refusal;
        field.select();
        return;
      }
      dialog.close();
      dialog.remove();
      resolve();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Whether the server refuses to answer this browser without a token.
export async function lacksToken() {
  const response = await post("/waymark.pins.v1.PinService/GetMapRegion", {}).catch(() => undefined);
  return response?.status === 401;
}

// Undefined when the server accepts that, else what is wrong: `refusal` when it is not the right thing.
export async function logIn(proof, refusal) {
  try {
    const response = await post("/session", proof);
    // A cookie for https only is dropped without an error over plain http.
    if (response.ok) return (await lacksToken()) ? NO_COOKIE : undefined;
    return response.status === 401 ? refusal : `The server answered ${response.status}.`;
  } catch {
    return "The server can't be reached. Try again.";
  }
}

const post = (path, message) => fetch(path, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(message),
});
