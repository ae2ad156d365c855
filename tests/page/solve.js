// solve.js - opens a page of puzzles (murakumo mine --format html) without a browser and solves every puzzle by clicks.
//
//     node tests/page/solve.js PAGE.html
//
// The page's own script runs on a few lines that stand for the document. For each puzzle: a wrong move is refused, each
// move of the solution is taken, both answers to the question of promotion work, and at the end it says "Solved".
'use strict';
const fs = require('fs'), vm = require('vm');
const file = process.argv[2];
if (!file) { console.error('usage: node tests/page/solve.js PAGE.html'); process.exit(2); }
const page = fs.readFileSync(file, 'utf8');
const script = page.slice(page.indexOf('<script>') + 8, page.lastIndexOf('</script>'));

const elements = {};
function element() {
  return {
    children: [], hidden: false, value: '', html: '',
    set innerHTML(html) { this.html = html; this.children = []; }, get innerHTML() { return this.html; },
    set textContent(text) { this.words = text; this.html = text.replace(/&/g, '&amp;').replace(/</g, '&lt;'); },
    get textContent() { return this.words; },
    append(child) { this.children.push(child); },
  };
}
let click;
const document = {
  getElementById(id) {
    if (!page.includes('id="' + id + '"')) throw new Error('the page has no element ' + id);
    return elements[id] || (elements[id] = element());
  },
  createElement: element,
  addEventListener(type, listener) { if (type === 'click') click = listener; },
};
vm.runInNewContext(script, { document });
const puzzles = JSON.parse(script.slice(script.indexOf('[\n') + 1, script.indexOf('];\nconst K=')).replace(/^/, '[') + ']');

function on(attribute, dataset) {
  click({ target: { closest: wanted => (wanted === '[' + attribute + ']' ? { dataset } : null) } });
}
function move(usi, side) { // as a person does it; answers the question of promotion if it is asked
  if (usi[1] === '*') on('data-h', { h: usi[0], c: side });
  else on('data-s', { s: usi.slice(0, 2) });
  on('data-s', { s: usi.slice(2, 4) });
  if (!elements.ask.hidden) elements[usi[4] === '+' ? 'yes' : 'no'].onclick();
}
const said = () => elements.m.textContent;
let failures = 0;
function expect(condition, what) { if (!condition) { failures++; console.error(what + ': the page says "' + said() + '"'); } }

puzzles.forEach((puzzle, i) => {
  const side = puzzle.sfen.split(' ')[1];
  elements.pick.onchange({ target: { value: String(i) } });
  expect(/to move/.test(said()), puzzle.id + ' is shown');
  const from = elements.board.innerHTML.match(/data-s="(..)" class="l?"><span class="p?">/);
  if (from && puzzle.solution[0].slice(0, 4) !== from[1] + '1a') {
    move(from[1] + '1a', side);
    if (!/^No/.test(said())) elements.again.onclick(); // 1a is ours: only another piece was chosen
  }
  elements.again.onclick();
  for (let k = 0; k < puzzle.solution.length; k += 2) {
    const last = k + 1 === puzzle.solution.length;
    move(puzzle.solution[k], side);
    expect(last ? /^Solved/.test(said()) : /^Yes/.test(said()), puzzle.id + ' ' + puzzle.solution[k]);
  }
  elements.show.onclick();
  expect(said().split(', ').length === puzzle.solution.length, puzzle.id + ' shows its solution');
});
console.log(puzzles.length + ' puzzles, ' + elements.theme.children.length + ' themes in the list, ' + failures + ' failures');
process.exit(failures ? 1 : 0);
