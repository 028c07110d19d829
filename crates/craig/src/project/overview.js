/* Chips and words filter the rows and the findings; a heading sorts. */
const shown = new Set([...document.querySelectorAll('[data-chip]')].map(chip => chip.dataset.chip));
function filter() {
  const query = $('query').value.toLowerCase();
  document.querySelectorAll('[data-word]').forEach(row => {
    row.hidden = !shown.has(row.dataset.word) || !row.textContent.toLowerCase().includes(query);
  });
}
document.querySelectorAll('[data-chip]').forEach(chip => chip.addEventListener('click', () => {
  const { chip: word } = chip.dataset;
  shown.has(word) ? shown.delete(word) : shown.add(word);
  chip.setAttribute('aria-pressed', shown.has(word));
  filter();
}));
$('query').addEventListener('input', filter);
document.querySelectorAll('#functions th').forEach((head, column) => head.addEventListener('click', () => {
  const sign = head.dataset.sign = head.dataset.sign === '1' ? '-1' : '1';
  const key = row => row.cells[column].dataset.key || row.cells[column].textContent;
  const body = document.querySelector('#functions tbody');
  [...body.rows].sort((a, b) => sign * key(a).localeCompare(key(b), undefined, { numeric: true })).forEach(row => body.append(row));
}));
document.addEventListener('keydown', event => {
  if (event.target.matches('input')) return event.key === 'Escape' && event.target.blur();
  if (event.key === '/') { event.preventDefault(); $('query').focus(); }
  if (event.key === 't') $('theme').click();
});
const query = new URLSearchParams(location.hash.slice(1)).get('filter');
if (query) { $('query').value = query; filter(); }
