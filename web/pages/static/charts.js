// A table with the attribute data-chart is drawn as columns above it, which uPlot does. The first column of the
// table is a time (data-time, seconds since 1970), each other one a series. Without scripts the table is what there is.
(() => {
  "use strict";
  if (!window.uPlot) return;

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function read(table) {
    const data = [[], []];
    for (const row of [...table.tBodies[0].rows].reverse()) { // the newest is the first of a table
      data[0].push(Number(row.dataset.time));
      data[1].push(Number(row.dataset.value));
    }
    return data;
  }

  // A time in UTC, as short as it may be: the day where one begins, else the hour; a day or month is itself.
  function label(seconds, step) {
    const text = new Date(seconds * 1000).toISOString();
    if (step >= 28 * 86400) return text.slice(0, 7);
    return step >= 86400 || text.slice(11, 16) === "00:00" ? text.slice(5, 10) : text.slice(11, 16);
  }

  function draw(table) {
    const place = table.closest("[data-chart-place]").querySelector(".chart");
    const data = read(table);
    if (!place || data[0].length < 2) return;
    place.replaceChildren();
    const axis = { stroke: color("--muted"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line") } };
    new uPlot({
      width: place.clientWidth,
      height: 180,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      legend: { show: false },
      cursor: { drag: { x: false, y: false } },
      scales: { y: { range: (u, low, high) => [0, Math.max(1, high * 1.05)] } },
      axes: [{ ...axis, values: (u, times, i, space, step) => times.map((t) => label(t, step)) }, { ...axis, size: 64 }],
      series: [{}, { width: 0, fill: color("--accent"), paths: uPlot.paths.bars({ size: [0.8, 40] }), points: { show: false } }],
    }, data, place);
  }

  function drawAll() {
    for (const table of document.querySelectorAll("table[data-chart]")) draw(table);
  }

  // What is drawn need not be read too.
  for (const details of document.querySelectorAll("[data-chart-details]")) details.open = false;

  let timer = 0;
  function again() {
    clearTimeout(timer);
    timer = setTimeout(drawAll, 100);
  }
  addEventListener("resize", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  document.addEventListener("htmx:after:swap", again);
  drawAll();
})();
