// The words of a post.
import { el } from "../ground/dom.js";
import { icon } from "../ground/icons.js";
import { bare } from "../ground/words.js";

// Opens what a post leads to. The server takes http and https alone; no other is ever followed.
export function linkOf({ link = "" }) {
  const isWeb = /^https?:\/\//i.test(link);
  return el(
    "a", { class: "post-link", href: isWeb && link, target: "_blank", rel: "noopener noreferrer nofollow" },
    icon("link"), el("span", {}, bare(link)),
  );
}

// "Helsinki, Uusimaa, Finland".
export function placeOf({ name, town, region, country }) {
  const parts = [name, town, region === name || region === town ? "" : region, country === name ? "" : country];
  return parts.filter(Boolean).join(", ");
}
