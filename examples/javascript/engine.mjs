// What the Shell in JavaScript: answers the requests of docs/protocol.md.
//
//     wts-fast crosscheck --engine "node examples/javascript/engine.mjs"
//
// A board is an array of 81 letters: "b", "w", "e" for an egg, "." for an empty cell. Ids such as
// C6 name the rules of docs/rules.md.

import { createInterface } from "node:readline";

const SIZE = 9;
const CELLS = SIZE * SIZE;
const EMPTY = ".";
const EGG = "e";
const NAMES = { b: "black", w: "white" };
const AROUND = [[-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1]];
const ACROSS = [[0, 1], [1, 0], [1, 1], [1, -1]];

// --- cells and position strings ---------------------------------------------------------

const nameOf = (cell) => "abcdefghi"[cell % SIZE] + (Math.floor(cell / SIZE) + 1);
const cellOf = (name) => "abcdefghi".indexOf(name[0]) + SIZE * (Number(name[1]) - 1);

function parse(text) {
  const [rows, eggs, turn] = text.split(" ");
  const board = [...rows.replaceAll("/", "").replace(/\d/g, (n) => EMPTY.repeat(Number(n)))];
  return {
    board,
    eggs: eggs === "-" ? [] : eggs.split(",").map(cellOf),
    turn: Number(turn),
  };
}

function format({ board, eggs, turn }) {
  const rows = [];
  for (let start = 0; start < CELLS; start += SIZE) {
    const row = board.slice(start, start + SIZE).join("");
    rows.push(row.replace(/\.+/g, (run) => run.length));
  }
  return `${rows.join("/")} ${eggs.map(nameOf).join(",") || "-"} ${turn}`;
}

// The cell that is `steps` steps away, or -1 beyond the edge.
function step(cell, [down, right], steps) {
  const row = Math.floor(cell / SIZE) + down * steps;
  const column = (cell % SIZE) + right * steps;
  const inside = row >= 0 && row < SIZE && column >= 0 && column < SIZE;
  return inside ? SIZE * row + column : -1;
}

// --- captures (C1 to C6) ----------------------------------------------------------------

const opponent = (player) => (player === "b" ? "w" : "b");

function capturesOf(board, player, cell) {
  const isEnemy = (piece) => piece === opponent(player) || piece === EGG;
  const captures = [];
  for (const direction of AROUND) {
    const [first, second, end] = [1, 2, 3].map((steps) => step(cell, direction, steps));
    if (end >= 0 && isEnemy(board[first]) && isEnemy(board[second]) && board[end] === player) {
      captures.push({ player, by: cell, cells: [first, second] });
    }
  }
  return captures;
}

// T3, H5: a captured egg is gone, and hatches no more.
function remove(position, captures) {
  for (const cell of captures.flatMap((capture) => capture.cells)) {
    position.board[cell] = EMPTY;
    position.eggs = position.eggs.filter((egg) => egg !== cell);
  }
}

const told = ({ player, by, cells }) => ["captured", NAMES[player], ...[by, ...cells].map(nameOf)];

// --- hatching (H1 to H5) ----------------------------------------------------------------

function hatch(position, spend, trace) {
  while (position.eggs.length > 0 && (spend.b > 0 || spend.w > 0)) {
    const egg = position.eggs.shift();
    if (spend.b > 0 && spend.w > 0) { // H3, R1
      position.board[egg] = EMPTY;
      spend.b -= 1;
      spend.w -= 1;
      trace.push(["vanished", nameOf(egg)]);
      continue;
    }
    const player = spend.b > 0 ? "b" : "w";
    position.board[egg] = player;
    const captures = capturesOf(position.board, player, egg); // H2
    remove(position, captures); // R2: before the next egg hatches
    spend[player] += captures.length - 1;
    trace.push(["hatched", NAMES[player], nameOf(egg)], ...captures.map(told));
  }
}

// --- lines and the outcome (W1 to W3, S1, S2, D1) ---------------------------------------

function winningTurtles(board, player) {
  const winning = new Set(); // W2: each turtle counts once
  for (let cell = 0; cell < CELLS; cell += 1) {
    for (const direction of ACROSS) {
      const five = [0, 1, 2, 3, 4].map((steps) => step(cell, direction, steps));
      if (five.every((one) => one >= 0 && board[one] === player)) {
        five.forEach((one) => winning.add(one));
      }
    }
  }
  return winning.size;
}

function outcomeOf(board) {
  const [black, white] = ["b", "w"].map((player) => winningTurtles(board, player));
  let outcome = board.includes(EMPTY) ? "undecided" : "draw";
  if (black > white) outcome = "black_wins";
  if (white > black) outcome = "white_wins";
  return { winning: [black, white], outcome };
}

// --- a turn (T1, T2) --------------------------------------------------------------------

// The position after the turn and its trace, or null where a pick is not legal.
function play({ board, eggs, turn }, black, white) {
  const isLegal = board[black] === EMPTY && board[white] === EMPTY;
  if (!isLegal || outcomeOf(board).outcome !== "undecided") return null;
  const next = { board: [...board], eggs: [...eggs], turn: turn + 1 };
  if (black === white) { // E1, E2
    next.board[black] = EGG;
    next.eggs.push(black);
    return { next, trace: [["laid", nameOf(black)]] };
  }
  next.board[black] = "b";
  next.board[white] = "w";
  const trace = [["placed", "black", nameOf(black)], ["placed", "white", nameOf(white)]];
  const byBlack = capturesOf(next.board, "b", black); // C6: both before anything is removed
  const byWhite = capturesOf(next.board, "w", white);
  remove(next, [...byBlack, ...byWhite]);
  trace.push(...[...byBlack, ...byWhite].map(told));
  hatch(next, { b: byBlack.length, w: byWhite.length }, trace);
  return { next, trace };
}

function countSequences(position, depth) {
  if (depth === 0) return 1;
  let sequences = 0;
  for (let black = 0; black < CELLS; black += 1) {
    if (position.board[black] !== EMPTY) continue;
    for (let white = 0; white < CELLS; white += 1) {
      const played = play(position, black, white);
      if (played !== null) sequences += countSequences(played.next, depth - 1);
    }
  }
  return sequences;
}

// --- requests ---------------------------------------------------------------------------

function answer(request) {
  const position = parse(request.position);
  if ("depth" in request) return { sequences: countSequences(position, request.depth) };
  const played = play(position, cellOf(request.black), cellOf(request.white));
  if (played === null) return { after: null };
  const { next, trace } = played;
  return { after: format(next), ...outcomeOf(next.board), trace };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
