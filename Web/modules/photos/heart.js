// Whether one likes a photo at its network. It is asked there each time that the photo is opened; where the answer
// can't be had, nothing is said.
import { readOnce } from "../server/api.js";
import { el, replace } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { t } from "../ground/text.js";
import { networkName, networkOf } from "../ground/words.js";

// Networks that say so.
const KNOW = new Set(["instagram"]);
// Ids of photos of which it was answered in this page.
const liked = new Set();

export const isLiked = (id) => liked.has(id);

// Resolves with whether one likes it, or with undefined; of other networks there is no answer at all.
export function askLiked(id) {
  if (!KNOW.has(networkOf(id))) return undefined;
  return readOnce("photos.v1.PhotoService/GetPhoto", { id }).then((answer) => {
    if (answer.liked) liked.add(id);
    else liked.delete(id);
    return answer.liked;
  }, () => undefined);
}

// A line among the facts about a photo, once there is an answer.
export function heart({ id }, answer) {
  const line = el("div", { class: "heart", hidden: true });
  answer?.then((isOn) => {
    if (isOn === undefined) return;
    const network = networkName(networkOf(id));
    const words = isOn
      ? t("You like it on {network}", { network }) : t("You have not liked it on {network}", { network });
    line.classList.toggle("liked", isOn);
    replace(line, el("dd", {}, icon("heart"), words));
    line.hidden = false;
  });
  return line;
}
