// Draws the figures of the page with axes, and the live chart: asks each second for the last minutes. Without it the page has its
// tables and the drawn chart. Times are of UTC, as everywhere in the console.
(function () {
  'use strict';
  const place = document.getElementById('live');
  const now = document.getElementById('live-now');
  const state = document.getElementById('live-state');
  const seconds = 300;
  const height = 220;
  const factor = Number(place.dataset.factor);
  const clock = format({hour: '2-digit', minute: '2-digit', second: '2-digit'});
  const history = document.getElementById('history');
  const lines = [['--accent-ink'], ['--warn', 8, 3], ['--good', 3, 3], ['--bad', 12, 3, 3, 3], ['--info', 2, 6], ['--soft']];
  const numbers = new Intl.NumberFormat(document.documentElement.lang, {maximumFractionDigits: 1});
  let chart = null;
  let past = null;

  function format(parts) {
    return new Intl.DateTimeFormat(document.documentElement.lang, {...parts, timeZone: 'UTC'});
  }

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

  function pastLine(label, number, column) {
    const [name, ...dash] = lines[Math.min(number, lines.length - 1)];
    const value = (u, shown) => (shown === null ? '–' : numbers.format(shown));
    const points = {show: column.filter(shown => shown !== null).length < 60, size: 6};
    return {label: label || history.dataset.total, stroke: colour(name), width: 2, dash, spanGaps: true, value, points};
  }

  function drawPast() {
    if (history === null) {
      return;
    }
    const data = JSON.parse(history.dataset.columns);
    const span = data[0][data[0].length - 1] - data[0][0];
    const short = format(span > 172800 ? {month: 'short', day: 'numeric'} : {hour: '2-digit', minute: '2-digit'});
    const long = format({month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit'});
    const labels = JSON.parse(history.dataset.labels);
    history.hidden = false;
    document.getElementById('drawn').hidden = true;
    past = new uPlot(
      {
        width: history.clientWidth,
        height: 260,
        scales: {y: {range: (u, low, high) => [0, Math.max(high * 1.05, 1)]}},
        axes: [
          {...axis(), space: 80, values: (u, times) => times.map(at => short.format(new Date(at * 1000)))},
          {...axis(), size: 64, values: (u, values) => values.map(value => numbers.format(value))}
        ],
        series: [{label: history.dataset.time, value: (u, at) => (at === null ? '–' : long.format(new Date(at * 1000)))}, ...labels.map((label, number) => pastLine(label, number, data[number + 1]))]
      },
      data,
      history);
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
    if (past !== null) {
      past.destroy();
      drawPast();
    }
  }

  document.getElementById('live-section').hidden = false;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  addEventListener('resize', () => {
    if (chart !== null) {
      chart.setSize({width: place.clientWidth, height});
    }
    if (past !== null) {
      past.setSize({width: history.clientWidth, height: 260});
    }
  });
  drawPast();
  refresh();
})();
