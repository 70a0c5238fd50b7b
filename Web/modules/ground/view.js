// What the view that is shown has begun to change, and what the server does not have yet, is given up when it is left.
import { t } from "./text.js";

let leaving = new AbortController();

export const viewSignal = () => leaving.signal;

export function leaveView() {
  leaving.abort(new LeftError());
  leaving = new AbortController();
}

export class LeftError extends Error {
  code = "canceled";

  constructor() {
    super(t("It was left before the server had it."));
  }
}
