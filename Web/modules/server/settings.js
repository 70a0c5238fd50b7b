// What the gateway says of itself before anything else: whether everyone has to log in, which tiles it shows, and what
// people call the networks.
import { nameNetworks } from "../ground/words.js";

let answer;

// Nothing is known as long as it does not answer.
export async function settings() {
  answer ??= await fetch("/settings.json").then((response) => (response.ok ? response.json() : undefined), () => {});
  if (answer) nameNetworks(answer.networks);
  return answer ?? {};
}
