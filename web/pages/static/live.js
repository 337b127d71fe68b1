// A page that is open and can be seen listens for changes, and fetches itself again when something has
// changed. A hidden tab does not listen. While nothing changes, nothing is asked.
(() => {
  "use strict";
  const main = document.querySelector("main[data-live]");
  if (!main || !window.EventSource || !window.htmx) return;

  const address = new URL(main.dataset.live, location.href);
  const leastPause = 1000; // milliseconds between two fetches
  let source = null;
  let revision = address.searchParams.get("after") || "";
  let fetched = 0;
  let timer = 0;

  function fetchPage() {
    timer = 0;
    fetched = Date.now();
    // What somebody is typing in, or has opened, is left alone: only these parts are replaced.
    htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerMorph" });
  }

  function soon(event) {
    if (event.lastEventId) revision = event.lastEventId;
    if (timer) return;
    timer = setTimeout(fetchPage, Math.max(0, leastPause - (Date.now() - fetched)));
  }

  function listen() {
    if (source || document.hidden) return;
    if (revision) address.searchParams.set("after", revision);
    source = new EventSource(address);
    source.addEventListener("changes", soon);
    source.addEventListener("late", soon);
  }

  function stop() {
    if (source) source.close();
    source = null;
    clearTimeout(timer);
    timer = 0;
  }

  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : listen()));
  addEventListener("pagehide", stop);
  addEventListener("pageshow", listen);
  listen();
})();
