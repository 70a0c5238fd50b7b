// A button for what can't be undone: the first press asks, the second one does it.
import { say } from "./notices.js";
import { t } from "./text.js";

const PATIENCE = 4000;

export function askFirst(button, { asking, run }) {
  let timer;
  const calm = () => {
    clearTimeout(timer);
    if (!button.classList.replace("sure", "calm")) return;
    button.classList.remove("calm");
    asking(false);
  };
  button.addEventListener("click", () => {
    if (button.classList.contains("sure")) {
      calm();
      run();
      return;
    }
    button.classList.add("sure");
    asking(true);
    say(t("Press again to delete."));
    timer = setTimeout(calm, PATIENCE);
  });
  button.addEventListener("blur", calm);
  return button;
}
