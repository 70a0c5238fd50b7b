// The prompt for a token, on a server that needs one. The cookie that comes back can't be read by any script.
import { el, icon } from "./dom.js";

// Resolves when the server has taken a token.
export function askForToken() {
  return new Promise((resolve) => {
    const field = el("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
    const wrong = el("p", { class: "login-wrong", role: "alert" });
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
      const problem = await send(field.value);
      if (problem) {
        wrong.textContent = problem;
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

// Nothing when the token is right, else what is wrong.
async function send(token) {
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch("/session", { method: "POST", headers, body: JSON.stringify({ token }) });
    if (response.ok) return undefined;
    return response.status === 401 ? "That is not the token." : `The server answered ${response.status}.`;
  } catch {
    return "The server can't be reached. Try again.";
  }
}
