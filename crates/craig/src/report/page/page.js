const data = JSON.parse(document.getElementById('data').textContent);
const report = data.report;
const quoted = text => escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;
const worst = { unsafe: 3, unknown: 2, safe: 1 };
const signs = { unsafe: '✘', unknown: '?', safe: '✔' };
const words = { unsafe: 'fails', unknown: 'not decided', safe: 'proved' };

const checks = report.checks || [], invariants = (report.invariants || []).filter(fact => !fact.file.startsWith('<')), contracts = report.contracts || [];
checks.forEach((check, i) => { check.run = data.run_of_check[i] ?? -1; });
const goals = report.list || [], found = report.findings || [], runs = data.runs, files = data.files;
const state = { file: 0, run: -1, step: 0, shown: new Set(['safe', 'unsafe', 'unknown', 'reached', 'unreachable', 'open']), query: '', tab: null, opened: new Set() };

/* Sources */
const keywords = new Set('auto break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while _Alignof _Atomic _Generic _Noreturn _Static_assert'.split(' '));
const types = new Set('void char short int long float double signed unsigned bool _Bool size_t ssize_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t FILE'.split(' '));
const tokens = /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+)|(\b(?:0[xX][\da-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)[uUlLfF]*\b)|([A-Za-z_]\w*)/g;
/* A line as HTML; the second result says whether a comment goes on in the next one. */
function highlight(line, inComment) {
  let html = '', from = 0;
  if (inComment) {
    const end = line.indexOf('*/');
    if (end < 0) return [`<span class="c">${escape(line)}</span>`, true];
    html = `<span class="c">${escape(line.slice(0, end + 2))}</span>`;
    from = end + 2;
  }
  tokens.lastIndex = from;
  let open = false;
  for (let match; (match = tokens.exec(line));) {
    html += escape(line.slice(from, match.index));
    const [text, comment, string, pre, number, word] = match;
    const kind = comment ? 'c' : string ? 's' : pre ? 'p' : number ? 'n' : keywords.has(word) ? 'k' : types.has(word) ? 't' : '';
    html += kind ? `<span class="${kind}">${escape(text)}</span>` : escape(text);
    from = match.index + text.length;
    open = !!comment && text.startsWith('/*') && !(text.length > 3 && text.endsWith('*/'));
  }
  return [html + escape(line.slice(from)), open];
}

/* What is known of each line of a file. */
function annotations(name) {
  const lines = new Map();
  const at = line => lines.get(line) || lines.set(line, { checks: [], notes: [], goals: [], findings: [] }).get(line);
  for (const check of checks) if (check.file === name) at(check.line).checks.push(check);
  for (const invariant of invariants) if (invariant.file === name) {
    const text = invariant.readable === '1' ? 'nothing more is needed here' : invariant.readable === '0' ? 'this loop is never reached' : invariant.readable;
    const more = invariant.left_out ? `\n(and ${plural(invariant.left_out, 'fact')} about the model of memory)` : '';
    at(invariant.line).notes.push(['invariant', 'loop invariant', text + more]);
  }
  for (const contract of contracts) if (contract.file === name)
    at(contract.line).notes.push(['contract', `contract of ${contract.function}`, `\nrequires ${contract.requires_readable}\nensures  ${contract.ensures_readable}`]);
  for (const warning of data.warnings) if (warning.file === name) at(warning.line).notes.push(['warning', 'warning', warning.text]);
  for (const goal of goals) if (goal.file === name) at(goal.line).goals.push(goal);
  for (const finding of found) if (finding.file === name) at(finding.line).findings.push(finding);
  return lines;
}

const CHUNK = 100;
let view = null;
function openFile(index) {
  if (view && view.index === index) return;
  state.file = index;
  const file = files[index];
  const text = file.text.split('\n');
  if (text.length > 1 && text[text.length - 1] === '') text.pop();
  view = { index, text, known: annotations(file.name), chunks: [] };
  $('text').textContent = '';
  let comment = false;
  for (let from = 0; from < text.length; from += CHUNK) {
    const element = document.createElement('div');
    element.className = 'chunk';
    const to = Math.min(from + CHUNK, text.length);
    element.style.minHeight = `calc(${to - from} * var(--row))`;
    view.chunks.push({ element, from, to, filled: false, comment });
    for (let i = from; i < to; i++) comment = highlight(text[i], comment)[1];
    $('text').append(element);
  }
  watcher.disconnect();
  view.chunks.forEach(chunk => { chunk.element.chunk = chunk; watcher.observe(chunk.element); });
  document.querySelectorAll('#files [data-open]').forEach(button => button.setAttribute('aria-selected', +button.dataset.open === index));
}
/* Long files are filled in as they come into sight. */
const watcher = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) fill(entry.target.chunk);
}, { root: null, rootMargin: '600px' });

function fill(chunk) {
  if (chunk.filled) return;
  chunk.filled = true;
  let html = '', comment = chunk.comment;
  for (let i = chunk.from; i < chunk.to; i++) {
    let code;
    [code, comment] = highlight(view.text[i], comment);
    html += line(i + 1, code);
  }
  chunk.element.innerHTML = html;
  chunk.element.style.minHeight = '';
  showPlace();
}
function refill() { view.chunks.filter(chunk => chunk.filled).forEach(chunk => { chunk.filled = false; fill(chunk); }); }

function line(number, code) {
  const known = view.known.get(number);
  let cover = '', mark = '', notes = '', classes = 'line';
  if (known) {
    const states = new Set(known.goals.map(goal => goal.status));
    cover = states.has('open') ? 'open' : states.has('reached') ? 'covered' : states.has('unreachable') ? 'dead' : '';
    if (cover === 'dead') classes += ' dead';
    const status = known.checks.reduce((most, check) => worst[check.verdict] > (worst[most] || 0) ? check.verdict : most, '');
    if (status) {
      const title = known.checks.map(check => `${check.words}: ${words[check.verdict]}`).join('\n');
      mark = `<button class="mark ${status}" data-line="${number}" title="${escape(title)}" aria-label="${escape(plural(known.checks.length, 'check'))}">${signs[status]}</button>`;
      if (status === 'unsafe') classes += ' failed';
    }
    for (const [kind, title, text] of known.notes) notes += `<div class="note ${kind}"><b>${escape(title)}</b>${quoted(text)}</div>`;
    for (const finding of known.findings) notes += `<div class="note unsafe"><b>fails in test ${finding.tests.join(', ')}</b>${quoted(finding.words)}${runs[finding.tests[0]] ? ` <button data-run="${finding.tests[0]}">show the run</button>` : ''}</div>`;
    for (const check of known.checks) {
      const visible = state.opened.has(`${view.index}:${number}`) || (check.verdict === 'unsafe' && state.shown.has('unsafe'));
      if (!visible) continue;
      const reason = check.reason ? ` <span class="remedy">(${escape(check.reason)})</span>` : '';
      const go = check.run >= 0 ? ` <button data-run="${check.run}">show the run</button>` : '';
      notes += `<div class="note ${check.verdict}"><b>${check.verdict === 'safe' ? 'proved, never:' : words[check.verdict]}</b>${quoted(check.words)} <span class="remedy">[${check.kind}]</span>${reason}${go}</div>`;
    }
    for (const goal of known.goals) if (goal.status === 'open') notes += `<div class="note open"><b>not reached yet</b>${goal.direction ? escape(goal.direction) + ': ' : ''}${escape(goal.detail || '')}</div>`;
      else if (goal.status === 'unreachable') notes += `<div class="note dead"><b>proved unreachable</b>${escape(goal.direction || '')}</div>`;
  }
  return `<div class="${classes}" id="L${number}"><span class="cover ${cover}"></span>${mark || '<span></span>'}<span class="no">${number}</span><code>${code || ' '}</code><span class="values"></span></div>${notes}`;
}

function element(number) {
  const chunk = view.chunks[Math.floor((number - 1) / CHUNK)];
  if (!chunk) return null;
  fill(chunk);
  return $('L' + number);
}
function goTo(name, number) {
  const index = files.findIndex(file => file.name === name);
  if (index < 0) return;
  openFile(index);
  const row = element(number);
  if (!row) return;
  document.querySelectorAll('.line.target').forEach(old => old.classList.remove('target'));
  row.classList.add('target');
  state.line = number;
  const box = $('code').getBoundingClientRect(), at = row.getBoundingClientRect();
  if (at.top < Math.max(box.top, 0) + 60 || at.bottom > Math.min(box.bottom, innerHeight * (innerWidth > 720 ? 1 : .55)) - 80) row.scrollIntoView({ block: 'center' });
}

/* The run */
function openRun(index) {
  if (!runs[index]) return;
  state.run = index;
  state.step = Math.max(0, runs[index].steps.length - 1);
  $('which').value = index;
  $('slider').max = runs[index].steps.length - 1;
  stepTo(state.step);
}
function stepTo(step) {
  const run = runs[state.run];
  if (!run) return;
  state.step = Math.min(Math.max(step, 0), run.steps.length - 1);
  const now = run.steps[state.step];
  $('slider').value = state.step;
  $('position').textContent = `step ${state.step + 1} of ${run.steps.length}`;
  goTo(now.file, now.line);
  showPlace();
  markGraph(true);
  showSteps();
  showValues();
}
function showSteps() {
  const run = runs[state.run], from = Math.max(0, state.step - 150), to = Math.min(run.steps.length, state.step + 150);
  let html = '';
  for (let i = from; i < to; i++) {
    const step = run.steps[i];
    const classes = `step ${step.kind}${step.matters ? ' matters' : ''}${i === state.step ? ' now' : ''}`;
    html += `<button class="${classes}" data-step="${i}" tabindex="-1"><span class="l">${step.line}</span><span class="e" style="padding-left:${Math.min(step.depth - 1, 8) * 10}px">${escape(step.message)}</span></button>`;
  }
  $('steps').innerHTML = html;
  const current = $('steps').querySelector('.now');
  if (current) $('steps').scrollTop = current.offsetTop - $('steps').clientHeight / 2 - $('steps').offsetTop;
}
/* The values after a step, by calls. */
function values() {
  const frames = [];
  const frame = step => frames[step.depth] || (frames[step.depth] = { function: step.function, values: new Map() });
  const steps = runs[state.run].steps;
  for (let i = 0; i <= state.step; i++) {
    const step = steps[i];
    frames.length = Math.min(frames.length, step.depth + 1);
    if (step.kind === 'call') {
      frames[step.depth + 1] = { function: step.message.replace(/^call of (\w+).*/s, '$1'), values: new Map(step.arguments.map(({ name, value }) => [name, { name, value, step: i }])) };
    } else if (step.target) {
      /* What is written through a pointer may be known by its name already, in any call. */
      const entry = { value: step.value, step: i, matters: step.matters, name: step.target };
      frame(step);
      const key = step.object || step.target;
      const owner = step.object && frames.findLast(known => known && known.values.has(key));
      const values = (owner || frames[step.depth]).values;
      values.set(key, { ...entry, name: owner ? values.get(key).name : step.target });
    } else frame(step);
  }
  return frames.filter(Boolean);
}
function showValues() {
  const frames = values().reverse();
  $('values').innerHTML = frames.map(frame => {
    const rows = [...frame.values.values()].map(({ name, value, step, matters }) =>
      `<tr class="${step === state.step ? 'fresh' : ''}${matters ? ' matters' : ''}"><td>${escape(name)}</td><td>${escape(value)}</td></tr>`).join('');
    return `<h3>${escape(frame.function || '')}</h3><table>${rows}</table>`;
  }).join('');
}
/* The current line, the lines of this call, and their latest values beside the code. */
function showPlace() {
  document.querySelectorAll('.line.now, .line.visited').forEach(row => {
    row.classList.remove('now', 'visited');
    row.querySelector('.values').textContent = '';
  });
  const run = runs[state.run];
  if (!run || !view) return;
  const now = run.steps[state.step], name = files[view.index].name;
  const seen = new Map();
  for (let i = state.step; i >= 0 && i > state.step - 3000; i--) {
    const step = run.steps[i];
    if (step.depth < now.depth) break;
    if (step.depth > now.depth || step.file !== name) continue;
    const texts = seen.get(step.line) || seen.set(step.line, []).get(step.line);
    if (step.target && texts.length < 3 && !texts.some(text => text.startsWith(step.target + ' = '))) texts.unshift(`${step.target} = ${step.value}`);
  }
  for (const [number, texts] of seen) {
    const row = $('L' + number);
    if (!row) continue;
    row.classList.add('visited');
    row.querySelector('.values').textContent = texts.join('   ');
  }
  const row = now.file === name && $('L' + now.line);
  if (row) {
    row.classList.add('now');
    if (now.kind !== 'set') row.querySelector('.values').textContent = now.message;
  }
}

/* The control flow */
const graphs = data.graphs || [];
let graph = null;
function graphHere(name) {
  const here = graphs.filter(candidate => candidate.file === files[state.file]?.name);
  const step = runs[state.run]?.steps[state.step];
  const around = here.filter(candidate => candidate.line <= (state.line || 1)).sort((a, b) => b.line - a.line)[0];
  return graphs.find(candidate => candidate.function === name) || (step && here.find(candidate => candidate.function === step.function && step.file === candidate.file)) || around || here[0] || graphs[0];
}
function showGraph(show, name) {
  if (!graphs.length) return;
  $('graph').hidden = !show;
  $('text').hidden = show;
  $('flow').setAttribute('aria-pressed', show);
  if (!show) { graph = null; return goTo(files[state.file].name, state.line || 1); }
  graph = graphHere(name);
  const text = (files.find(file => file.name === graph.file)?.text || '').split('\n');
  const names = graphs.map((candidate, i) => `<option value="${i}"${candidate === graph ? ' selected' : ''}>${escape(candidate.function)}</option>`).join('');
  const known = annotations(graph.file);
  const classOf = node => {
    const facts = node.lines.map(line => known.get(line)).filter(Boolean), goalsHere = new Set(facts.flatMap(fact => fact.goals.map(goal => goal.status)));
    if (facts.some(fact => fact.checks.some(check => check.verdict === 'unsafe') || fact.findings.length)) return 'unsafe';
    return goalsHere.has('open') ? 'unknown' : goalsHere.has('reached') ? 'safe' : goalsHere.has('unreachable') ? 'dead' : '';
  };
  $('graph').innerHTML = `<div class="bar"><select id="function" aria-label="function">${names}</select></div>` + drawn(layout(graph, line => text[line - 1] || ''), classOf);
  markGraph();
}
/* The block of the current step, and those of its call; whoever steps into another function sees that. */
function markGraph(follow) {
  if (!graph) return;
  const steps = runs[state.run]?.steps, now = steps?.[state.step];
  if (follow && now && now.function !== graph.function && graphs.some(candidate => candidate.function === now.function)) return showGraph(true, now.function);
  const visited = new Set();
  for (let i = state.step; now && i >= 0 && steps[i].depth >= now.depth; i--) if (steps[i].depth === now.depth) visited.add(steps[i].line);
  document.querySelectorAll('#graph .block').forEach(block => {
    const lines = graph.blocks[block.dataset.block];
    block.classList.toggle('now', !!now && now.file === graph.file && lines.includes(now.line));
    block.classList.toggle('visited', !!now && now.function === graph.function && lines.some(line => visited.has(line)));
  });
  document.querySelector('#graph .block.now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/* The side */
const tabs = [];
function count(list, key) {
  const counts = {};
  list.forEach(entry => { counts[entry[key]] = (counts[entry[key]] || 0) + 1; });
  return counts;
}
function chips(counts, names) {
  return `<div class="chips">${names.filter(([name]) => counts[name]).map(([name, style, text]) =>
    `<button class="chip ${style}" data-chip="${name}" aria-pressed="${state.shown.has(name)}">${counts[name]} ${text}</button>`).join('')}</div>`;
}
function matching(list, key) {
  const query = state.query.toLowerCase();
  return list.filter(entry => state.shown.has(entry[key]) && (!query || `${entry.file}:${entry.line} ${entry.words || ''} ${entry.kind || ''} ${entry.function || ''}`.toLowerCase().includes(query)));
}
const LIMIT = 400;
function items(list, show) {
  const more = list.length > LIMIT ? `<p class="prose remedy">and ${list.length - LIMIT} more: filter to see them</p>` : '';
  return list.slice(0, LIMIT).map(show).join('') + more;
}
const short = name => name.split('/').pop();
function findingItem(check) {
  return `<button class="item" data-file="${escape(check.file)}" data-line="${check.line}" data-run="${check.run}"><span class="${check.verdict}"><span class="dot"></span></span><span class="at">${escape(short(check.file))}:${check.line} · ${check.kind}</span><span class="words">${check.verdict === 'safe' ? '<span class="never">never: </span>' : ''}${quoted(check.words)}</span></button>`;
}
if (checks.length) tabs.push(['Checks', () => {
  const order = [...matching(checks, 'verdict')].sort((a, b) => worst[b.verdict] - worst[a.verdict]);
  return `<div class="bar">${chips(count(checks, 'verdict'), [['unsafe', 'unsafe', 'fail'], ['unknown', 'unknown', 'open'], ['safe', 'safe', 'proved']])}<input id="query" type="search" placeholder="filter  ( / )" aria-label="filter" value="${escape(state.query)}"></div>${items(order, findingItem)}`;
}]);
if (goals.length) tabs.push(['Coverage', () => {
  const counts = count(goals, 'status');
  const styles = { reached: 'safe', unreachable: 'dead', open: 'unknown' };
  const findings = found.map(finding => `<button class="item" data-file="${escape(finding.file)}" data-line="${finding.line}" data-run="${runs[finding.tests[0]] ? finding.tests[0] : -1}"><span class="unsafe"><span class="dot"></span></span><span class="at">${escape(short(finding.file))}:${finding.line} · finding</span><span class="words">${quoted(finding.words)}, in test ${finding.tests.join(', ')}</span></button>`).join('');
  return `<div class="bar">${chips(counts, [['reached', 'safe', 'reached'], ['unreachable', 'dead', 'proved unreachable'], ['open', 'unknown', 'open']])}<input id="query" type="search" placeholder="filter  ( / )" aria-label="filter" value="${escape(state.query)}"></div>` + findings +
    items(matching(goals, 'status').sort((a, b) => (a.status === 'reached') - (b.status === 'reached')), goal =>
      `<button class="item" data-file="${escape(goal.file)}" data-line="${goal.line}" data-run="${goal.status === 'reached' && runs[goal.detail] ? goal.detail : -1}"><span class="${styles[goal.status]}"><span class="dot"></span></span><span class="at">${escape(short(goal.file))}:${goal.line} · ${escape(goal.function || '')}</span><span class="words">${goal.direction ? '<code>' + escape(goal.direction) + '</code> ' : ''}${goal.status === 'reached' ? `reached by test ${goal.detail}` : goal.status === 'open' ? `open: ${escape(goal.detail)}` : 'proved unreachable'}</span></button>`);
}]);
if (invariants.length + contracts.length) tabs.push(['Proof', () => [...contracts, ...invariants].map(fact =>
  `<button class="item" data-file="${escape(fact.file)}" data-line="${fact.line}" data-run="-1"><span class="at">${escape(short(fact.file))}:${fact.line} · ${fact.readable ? 'loop' : 'contract of ' + escape(fact.function)}</span><span class="words"><code>${escape(fact.readable || fact.ensures_readable)}</code></span></button>`).join('')]);
tabs.push(['About', () => {
  const list = (title, entries) => entries.length ? `<h2>${title}</h2><ul>${entries.map(entry => `<li>${entry}</li>`).join('')}</ul>` : '';
  const members = (report.members || []).map(member => `<code>${escape(member.name)}</code> ${escape(member.answer)}, ${member.seconds.toFixed(2)} s`);
  const proof = report.certificate ? [`The answer comes with a certificate (${escape(report.certificate.kind)}) that was checked.`] : [];
  return `<div class="prose">${report.reason ? `<h2>Why there is no answer</h2><p>${escape(report.reason)}</p>` : ''}` +
    (data.advice.length ? `<h2>What to try next</h2><ol>${data.advice.map(text => `<li>${quoted(text)}</li>`).join('')}</ol>` : '') +
    list('Checked', proof) +
    list('Taken for granted', data.assumptions.map(({ text, remedy }) => quoted(text) + (remedy ? `<div class="remedy">To lift this: ${quoted(remedy)}</div>` : ''))) +
    list('Warnings', data.warnings.map(warning => quoted(warning.text))) + list('Who worked on it', members) +
    `<p class="remedy">Made by Craig ${escape(data.version)}.</p></div>`;
}]);
function showTab(index) {
  state.tab = index;
  $('panel').innerHTML = tabs[index][1]();
  document.querySelectorAll('#tabs button').forEach((button, i) => button.setAttribute('aria-selected', i === index));
}

/* Everything together */
function finding(by) {
  const failing = checks.filter(check => check.verdict !== 'safe');
  if (!failing.length) return;
  state.finding = ((state.finding ?? (by > 0 ? -1 : 0)) + by + failing.length) % failing.length;
  const check = failing[state.finding];
  if (check.run >= 0) openRun(check.run); else goTo(check.file, check.line);
}
function start() {
  const verdict = report.verdict || 'tests';
  const counts = count(goals, 'status');
  $('verdict').textContent = report.verdict ? verdict : `${Math.round(100 * ((counts.reached || 0) + (counts.unreachable || 0)) / Math.max(goals.length, 1))}% settled`;
  $('verdict').className = `verdict ${report.verdict || (counts.open ? 'unknown' : 'safe')}`;
  $('title').textContent = data.task.join(', ');
  document.title = `${$('verdict').textContent}: ${data.task.map(short).join(', ')}`;
  const about = report.verdict ? [plural(checks.length, 'check'), report.engine] : [plural(goals.length, 'goal'), plural(report.tests, 'test')];
  $('meta').textContent = [...about, `${report.seconds.toFixed(2)} s`].filter(Boolean).join(' · ');
  $('tabs').innerHTML = tabs.map(([name], i) => `<button role="tab" data-tab="${i}">${name}</button>`).join('');
  $('files').innerHTML = (graphs.length ? '<button id="flow" title="control flow (g)" aria-pressed="false">control flow</button>' : '') + files.map((file, i) => `<button role="tab" data-open="${i}" title="${escape(file.name)}">${escape(short(file.name))}</button>`).join('');
  showTab(0);
  if (files.length) openFile(0);
  if (runs.length) {
    document.querySelector('main').classList.add('with-run');
    $('run').hidden = false;
    $('which').innerHTML = runs.map((run, i) => `<option value="${i}">${escape(run.title)}</option>`).join('');
    openRun(0);
  } else {
    const first = checks.find(check => check.verdict !== 'safe') || invariants[0] || goals.find(goal => goal.status !== 'reached') || checks[0];
    if (first) goTo(first.file, first.line);
  }
}
document.addEventListener('click', event => {
  const block = event.target.closest('.block');
  if (block) { state.line = graph.blocks[block.dataset.block][0] || graph.line; openFile(files.findIndex(file => file.name === graph.file)); return showGraph(false); }
  const button = event.target.closest('button');
  if (!button) return event.target.id === 'help' && $('help').classList.remove('open');
  const { tab, open, chip, line, file, step, run } = button.dataset;
  if (tab) showTab(+tab);
  else if (button.id === 'flow') showGraph($('graph').hidden);
  else if (open) { showGraph(false); openFile(+open); }
  else if (chip) { state.shown.has(chip) ? state.shown.delete(chip) : state.shown.add(chip); showTab(state.tab); refill(); }
  else if (step) stepTo(+step);
  else if (file) {
    document.querySelectorAll('.item.current').forEach(item => item.classList.remove('current'));
    button.classList.add('current');
    if (+run >= 0) openRun(+run);
    else { if (view && checks.length) state.opened.add(`${files.findIndex(entry => entry.name === file)}:${line}`); goTo(file, +line); refill(); goTo(file, +line); }
  } else if (run) openRun(+run);
  else if (line) { const key = `${view.index}:${line}`; state.opened.has(key) ? state.opened.delete(key) : state.opened.add(key); refill(); }
  else if (button.dataset.by) stepTo(button.dataset.by === 'first' ? 0 : button.dataset.by === 'last' ? Infinity : state.step + +button.dataset.by);
  else if (button.id === 'keys') $('help').classList.toggle('open');
});
document.addEventListener('input', event => {
  if (event.target.id === 'query') {
    state.query = event.target.value;
    showTab(state.tab);
    $('query').focus();
    $('query').setSelectionRange(state.query.length, state.query.length);
  } else if (event.target.id === 'slider') stepTo(+event.target.value);
  else if (event.target.id === 'which') openRun(+event.target.value);
  else if (event.target.id === 'function') { graph = null; const chosen = graphs[event.target.value]; openFile(files.findIndex(file => file.name === chosen.file)); showGraph(true, chosen.function); }
});
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter' && event.target.matches('.block')) return event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
  if (event.target.matches('input[type=search], select')) return event.key === 'Escape' && event.target.blur();
  const keys = {
    ArrowRight: () => stepTo(state.step + 1), ArrowLeft: () => stepTo(state.step - 1), j: () => stepTo(state.step + 1), k: () => stepTo(state.step - 1),
    Home: () => stepTo(0), End: () => stepTo(Infinity), n: () => finding(1), p: () => finding(-1),
    g: () => showGraph($('graph').hidden), '/': () => { if ($('query')) $('query').focus(); }, t: () => $('theme').click(), '?': () => $('keys').click(), Escape: () => $('help').classList.remove('open'),
  };
  if (keys[event.key] && !(event.key.startsWith('Arrow') && event.target.type === 'range')) { event.preventDefault(); keys[event.key](); }
});
/* `#run=0&step=3`, `#file=a.c&line=7`, `#filter=overflow`, `#graph=main`: a link to what is meant. */
function follow() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (link.has('tab')) { const index = tabs.findIndex(([name]) => name.toLowerCase() === link.get('tab')); if (index >= 0) showTab(index); }
  if (link.has('filter')) { state.query = link.get('filter'); showTab(state.tab); }
  if (link.has('run')) openRun(+link.get('run'));
  if (link.has('step')) stepTo(+link.get('step') - 1);
  if (link.has('graph')) showGraph(true, link.get('graph'));
  if (link.has('line')) goTo(link.get('file') || files[state.file].name, +link.get('line'));
}
addEventListener('hashchange', follow);
start();
follow();
document.documentElement.dataset.ready = Math.round(performance.now());
