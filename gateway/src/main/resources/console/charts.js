// The live chart: asks each second for the last minutes and draws them. Without it the page has its tables and the drawn chart.
(function () {
  'use strict';
  const place = document.getElementById('live');
  const now = document.getElementById('live-now');
  const state = document.getElementById('live-state');
  const seconds = 300;
  const height = 220;
  const factor = Number(place.dataset.factor);
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, {hour: '2-digit', minute: '2-digit', second: '2-digit'});
  let chart = null;

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function axis() {
    return {stroke: colour('--text'), grid: {stroke: colour('--line')}, ticks: {stroke: colour('--line')}};
  }

  function create(data) {
    return new uPlot(
      {
        width: place.clientWidth,
        height,
        legend: {show: false},
        scales: {y: {range: (u, low, high) => [0, Math.max(high, 1)]}},
        axes: [{...axis(), space: 80, values: (u, times) => times.map(at => clock.format(new Date(at * 1000)))}, axis()],
        series: [{}, {label: place.dataset.label, stroke: colour('--accent-ink'), width: 2, spanGaps: true}]
      },
      data,
      place);
  }

  // A second without an event is zero for counts, and a gap for everything else.
  function columns(answer) {
    const end = Math.floor(Date.parse(answer.to) / 1000);
    const values = new Map();
    for (const point of answer.lines.length ? answer.lines[0].points : []) {
      const figures = point.figures;
      const shown = figures.p95 ?? figures.ratio ?? figures.mean ?? figures.count;
      values.set(Math.floor(Date.parse(point.at) / 1000), shown * factor);
    }
    const times = [];
    const line = [];
    for (let at = end - seconds + 1; at <= end; at++) {
      times.push(at);
      line.push(values.has(at) ? values.get(at) : place.dataset.gaps === 'true' ? null : 0);
    }
    return [times, line];
  }

  async function refresh() {
    try {
      const response = await fetch(place.dataset.url, {headers: {Accept: 'application/json'}, redirect: 'error'});
      if (!response.ok) {
        throw new Error(String(response.status));
      }
      const data = columns(await response.json());
      if (chart === null) {
        chart = create(data);
      } else {
        chart.setData(data);
      }
      const latest = data[1].findLast(value => value !== null);
      now.textContent = latest === undefined ? '–' : String(Math.round(latest * 100) / 100);
      state.hidden = true;
    } catch (error) {
      state.hidden = false;
    }
    setTimeout(refresh, 1000);
  }

  function redraw() {
    if (chart !== null) {
      chart.destroy();
      chart = null;
    }
  }

  document.getElementById('live-section').hidden = false;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  addEventListener('resize', () => {
    if (chart !== null) {
      chart.setSize({width: place.clientWidth, height});
    }
  });
  refresh();
})();
