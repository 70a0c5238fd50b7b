// What the gateway says of itself before anything else: whether everyone has to log in, and which tiles it shows.
let answer;

// Nothing is known as long as it does not answer.
export async function settings() {
  answer ??= await fetch("/settings.json").then((response) => (response.ok ? response.json() : undefined), () => {});
  return answer ?? {};
}
