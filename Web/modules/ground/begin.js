// The first questions to the server, which are on their way while the app's scripts still come: all that the first look
// waits for. A plain script in the head; call.js and events.js take what has come.
(() => {
  const headers = { "content-type": "application/json", "connect-protocol-version": "1" };
  const answers = new Map();
  const ask = (method, request = {}) => {
    const body = JSON.stringify(request);
    const answer = fetch(`/waymark.${method}`, { method: "POST", headers, body });
    answer.catch(() => {}); // Who takes it learns of it.
    answers.set(`/waymark.${method} ${body}`, answer);
  };
  ask("pins.v1.PinService/GetMapRegion");
  ask("accounts.v1.SettingsService/GetSettings");
  ask("places.v1.PlacesService/ListDatasets", { pageSize: 1000 });
  ask("accounts.v1.AccountService/GetProfile");

  const url = `/events?watch=${encodeURIComponent('waymark.pins.v1.PinService/WatchPins:{"wholeAtMost":5000}')}`;
  const messages = [];
  let source;
  if (!document.hidden) {
    source = new EventSource(url);
    source.onmessage = (event) => messages.push(event);
  }
  window.begun = {
    // The answer to a question, once.
    answer(path, body) {
      const key = `${path} ${body}`;
      const answer = answers.get(key);
      answers.delete(key);
      return answer;
    },
    // The stream with what came until now, if it is this one; in any case it is given away.
    stream(wanted) {
      const begun = source;
      source = undefined;
      if (begun && url === wanted && begun.readyState !== EventSource.CLOSED) return { source: begun, messages };
      begun?.close();
      return undefined;
    },
    // For when another session begins.
    forget() {
      answers.clear();
      this.stream();
    },
  };
})();
