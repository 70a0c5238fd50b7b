// How much of what may be uploaded is.
import { el, setText } from "../ground/dom.js";
import { read } from "../server/api.js";
import { bytes } from "../ground/words.js";

// Nothing where there is no limit, and until the server has said it.
export function ownPhotos() {
  const line = el("p", { class: "section-note own-photos", hidden: true });
  read("photos.v1.UploadService/ListUploads", { pageSize: 1 }).then(({ storedByteCount = 0, quotaByteCount = 0 }) => {
    const [stored, quota] = [Number(storedByteCount), Number(quotaByteCount)];
    if (quota === 0) return;
    setText(line, `Photos that you uploaded: ${stored === 0 ? "none" : bytes(stored)} of ${bytes(quota)}.`);
    line.hidden = false;
  }, () => {});
  return line;
}
