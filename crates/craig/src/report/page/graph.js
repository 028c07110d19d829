/* The control flow of a function, drawn when it is asked for: layers from top to bottom, ways back on dashed lines. */
const ROW = 17, GAP = 46, SPACE = 26, LETTER = 7.3, WIDEST = 46, TALLEST = 7;

/* Blocks with layer, place and size; edges with their points. */
function layout(graph, textOf) {
  const nodes = graph.blocks.map((lines, i) => {
    const rows = lines.map(line => ({ line, text: textOf(line).trim().slice(0, WIDEST) || ' ' }));
    if (i === graph.exit) rows.push({ text: 'end' });
    if (i === graph.error) rows.push({ text: 'error' });
    if (!rows.length) rows.push({ text: i ? ' ' : 'start' });
    const shown = rows.length > TALLEST ? [...rows.slice(0, TALLEST - 1), { text: `… ${rows.length - TALLEST + 1} more lines` }] : rows;
    return { i, lines, rows: shown, width: Math.max(...shown.map(row => row.text.length)) * LETTER + 22, height: shown.length * ROW + 12 };
  });
  const edges = graph.edges.map(([from, to, condition]) => ({ from, to, condition: condition || '', back: false }));
  const out = nodes.map(() => []);
  edges.forEach(edge => out[edge.from].push(edge));
  /* Ways back are those to a block on the stack of a depth-first search. */
  const state = nodes.map(() => 0), stack = nodes.length ? [[0, 0]] : [], order = [];
  if (stack.length) state[0] = 1;
  while (stack.length) {
    const top = stack[stack.length - 1], edge = out[top[0]][top[1]++];
    if (!edge) { state[top[0]] = 2; order.push(top[0]); stack.pop(); continue; }
    if (state[edge.to] === 1) edge.back = true;
    else if (!state[edge.to]) { state[edge.to] = 1; stack.push([edge.to, 0]); }
  }
  nodes.forEach(node => { node.layer = 0; });
  for (const i of order.reverse()) for (const edge of out[i]) if (!edge.back) nodes[edge.to].layer = Math.max(nodes[edge.to].layer, nodes[i].layer + 1);
  /* A long edge goes through a point in every layer between. */
  const layers = [];
  const place = node => { (layers[node.layer] = layers[node.layer] || []).push(node); node.up = []; node.down = []; };
  nodes.forEach(place);
  for (const edge of edges) {
    const [top, bottom] = edge.back ? [nodes[edge.to], nodes[edge.from]] : [nodes[edge.from], nodes[edge.to]];
    edge.via = [];
    if (top === bottom) continue;
    let above = top;
    for (let layer = top.layer + 1; layer < bottom.layer; layer++) {
      const point = { width: 8, height: 0, layer };
      place(point);
      edge.via.push(point);
      above.down.push(point); point.up.push(above);
      above = point;
    }
    above.down.push(bottom); bottom.up.push(above);
  }
  arrange(layers);
  let y = 12;
  for (const layer of layers) {
    const height = Math.max(...layer.map(node => node.height));
    layer.forEach(node => { node.y = y + (height - node.height) / 2; });
    y += height + GAP;
  }
  const left = Math.min(...layers.flat().map(node => node.x - node.width / 2)) - 60;
  layers.flat().forEach(node => { node.x -= left; });
  return { nodes, edges, width: Math.max(...layers.flat().map(node => node.x + node.width / 2)) + 60, height: y };
}
/* The order within layers by the mean of the neighbours; then places near them, with room between. */
function arrange(layers) {
  const mean = (list, key) => list.length ? list.reduce((sum, node) => sum + node[key], 0) / list.length : null;
  const number = layer => layer.forEach((node, i) => { node.at = i; });
  layers.forEach(number);
  for (let sweep = 0; sweep < 8; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      layer.forEach(node => { node.wish = mean(down ? node.up : node.down, 'at') ?? node.at; });
      layer.sort((a, b) => a.wish - b.wish || a.at - b.at);
      number(layer);
    }
  }
  for (const layer of layers) {
    let x = 0;
    layer.forEach(node => { x += node.width / 2; node.x = x; x += node.width / 2 + SPACE; });
    layer.forEach(node => { node.x -= x / 2; });
  }
  for (let sweep = 0; sweep < 12; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      const wish = layer.map(node => mean(down ? node.up : node.down, 'x') ?? node.x);
      const room = i => (layer[i].width + layer[i - 1].width) / 2 + SPACE;
      const right = [...wish], leftmost = [...wish];
      for (let i = 1; i < layer.length; i++) right[i] = Math.max(right[i], right[i - 1] + room(i));
      for (let i = layer.length - 2; i >= 0; i--) leftmost[i] = Math.min(leftmost[i], leftmost[i + 1] - room(i + 1));
      layer.forEach((node, i) => { node.x = (right[i] + leftmost[i]) / 2; });
    }
  }
}
function drawn({ nodes, edges, width, height }, classOf) {
  const path = edge => {
    const a = nodes[edge.from], b = nodes[edge.to];
    if (a === b) { const x = a.x + a.width / 2, y = a.y + a.height / 2; return `M${x} ${y - 6} C${x + 40} ${y - 20} ${x + 40} ${y + 20} ${x} ${y + 6}`; }
    const via = edge.via.map(point => [point.x, point.y]);
    const points = edge.back ? [[a.x - a.width / 4, a.y], ...via.reverse(), [b.x - b.width / 4, b.y + b.height]] : [[a.x, a.y + a.height], ...via, [b.x, b.y]];
    let text = `M${points[0].join(' ')}`;
    for (let i = 1; i < points.length; i++) {
      const [x, y] = points[i - 1], [u, v] = points[i], half = (y + v) / 2;
      text += ` C${x} ${half} ${u} ${half} ${u} ${v}`;
    }
    return text;
  };
  const label = edge => {
    if (!edge.condition) return '';
    const a = nodes[edge.from], b = edge.via[0] || nodes[edge.to], side = edges.filter(other => other.from === edge.from).indexOf(edge);
    const text = edge.condition.length > 28 ? edge.condition.slice(0, 27) + '…' : edge.condition;
    const [x, y] = edge.back ? [a.x - a.width / 4, a.y - 8 - side * 12] : [a.x + (b.x - a.x) * .3, a.y + a.height + 14 + (side % 2) * 13];
    return `<text class="condition" x="${x}" y="${y}" text-anchor="middle"><title>${escape(edge.condition)}</title>${escape(text)}</text>`;
  };
  const box = node => `<g class="block ${classOf(node)}" data-block="${node.i}" tabindex="0"><rect x="${node.x - node.width / 2}" y="${node.y}" width="${node.width}" height="${node.height}" rx="7"/>` +
    node.rows.map((row, i) => `<text x="${node.x - node.width / 2 + 11}" y="${node.y + 18 + i * ROW}">${escape(row.text)}</text>`).join('') + '</g>';
  return `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>` +
    edges.map(edge => `<path class="way${edge.back ? ' back' : ''}" d="${path(edge)}" marker-end="url(#arrow)"/>`).join('') + edges.map(label).join('') + nodes.map(box).join('') + '</svg>';
}
