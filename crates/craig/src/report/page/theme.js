'use strict';
const $ = id => document.getElementById(id);
const escape = text => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
/* Light or dark: as the link says (`#theme=dark`), else as the system is, until someone presses the button. */
function theme(name) {
  document.documentElement.dataset.theme = name;
  $('theme').textContent = name === 'dark' ? '☀' : '☾';
}
function themeOfLink() {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  theme(new URLSearchParams(location.hash.slice(1)).get('theme') || document.documentElement.dataset.theme || system);
}
addEventListener('hashchange', themeOfLink);
$('theme').addEventListener('click', () => theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
themeOfLink();
