// compare.mjs - reads the lines of positions.c and asks tsshogi about every move that could exist: the sets must be equal.
//
// tsshogi lists no moves, but it judges one: each piece is tried on each square, with and without promotion, and each piece in
// hand on each square. Prints what differs, at the end the number of different positions, and fails if anything differed.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(process.env.ORACLE_MODULES + "/");
const { Position, Square, Color } = require("tsshogi");

const squares = Square.all;
const handTypes = ["pawn", "lance", "knight", "silver", "gold", "bishop", "rook"];

function legalMoves(position) {
  const found = [];
  const ask = (move) => {
    if (move && position.isValidMove(move)) found.push(move.usi);
  };
  for (const from of squares) {
    const piece = position.board.at(from);
    if (!piece || piece.color !== position.color) continue;
    for (const to of squares) {
      if (!position.isMovable(from, to)) continue; // the first thing that isValidMove asks, too
      const move = position.createMove(from, to);
      ask(move);
      ask(move.withPromote());
    }
  }
  for (const type of handTypes) {
    if (position.hand(position.color).count(type) === 0) continue;
    for (const to of squares) ask(position.createMove(type, to));
  }
  return found.sort();
}

const seen = new Set();
let lines = 0, moves = 0, pawnDropMates = 0, checks = 0, different = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [sfen, list] = line.split("\t");
  lines++;
  const key = sfen.slice(0, sfen.lastIndexOf(" "));
  if (seen.has(key)) continue;
  seen.add(key);
  const position = Position.newBySFEN(sfen);
  if (!position) {
    console.log(`${sfen}: refused by tsshogi`);
    different++;
    continue;
  }
  const theirs = legalMoves(position);
  const ours = list === "" ? [] : list.split(" ");
  moves += ours.length;
  if (position.checked) checks++;
  if (position.hand(position.color).count("pawn") > 0)
    for (const to of squares) if (!position.board.at(to) && position.isPawnDropMate(position.createMove("pawn", to))) pawnDropMates++;
  if (theirs.join(" ") !== ours.join(" ")) {
    different++;
    const extra = ours.filter((m) => !theirs.includes(m)), missing = theirs.filter((m) => !ours.includes(m));
    console.log(`${sfen}: only ours [${extra}], only tsshogi's [${missing}]`);
  }
}
console.log(`positions ${seen.size} lines ${lines} moves ${moves} in-check ${checks} pawn-drop-mates ${pawnDropMates} different ${different}`);
process.exitCode = different === 0 && seen.size > 0 ? 0 : 1;
