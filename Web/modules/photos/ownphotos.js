// How much of what may be uploaded is.
import { el, setText } from "../ground/dom.js";
import { read } from "../server/api.js";
import { t } from "../ground/text.js";
import { bytes } from "../ground/words.js";

// Nothing where there is no limit, and until the server has said it.
export function ownPhotos() {
  const line = el("p", { class: "section-note own-photos", hidden: true });
  read("photos.v1.UploadService/ListUploads", { pageSize: 1 }).then(({ storedByteCount = 0, quotaByteCount = 0 }) => {
    const [stored, quota] = [Number(storedByteCount), Number(quotaByteCount)];
    if (quota === 0) return;
    setText(line, stored === 0
      ? t("You have uploaded no photos yet; there is room for {quota}.", { quota: bytes(quota) })
      : t("Photos that you uploaded: {stored} of {quota}.", { stored: bytes(stored), quota: bytes(quota) }));
    line.hidden = false;
  }, () => {});
  return line;
}
