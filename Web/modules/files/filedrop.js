// A file with pins that is dropped onto the page is imported; an album takes pictures itself.
import { notice } from "../ground/notices.js";
import { laterPages } from "../ground/later.js";
import { t } from "../ground/text.js";

const hasFiles = (event) => event.dataTransfer?.types.includes("Files") && !event.defaultPrevented;

export function startFileDrop() {
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping-file");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping-file");
  });
  addEventListener("drop", async (event) => {
    document.body.classList.remove("dropping-file");
    if (!hasFiles(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    try {
      (await laterPages()).importPins(file);
    } catch {
      notice(t("The file can't be read now: the server did not answer."));
    }
  });
}
