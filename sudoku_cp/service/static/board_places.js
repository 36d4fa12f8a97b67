// What a press in design may mean beside a cell: an edge, a corner, a place outside.

const NEAR_EDGE = 0.25; // in cells
const NEAR_CORNER = 0.22;

/**
 * Everything that lies at the client's point: { x, y, row, column, cell, near, edge: [cell, cell], corner: [cells], outside },
 * each null where it does not apply; `outside` is the [row, column] of a place without a cell.
 */
export function placeAt(board, x, y) {
  const [across, down] = board.point(x, y);
  const [row, column] = [Math.floor(down), Math.floor(across)];
  const here = { x: across, y: down, row, column, ...board.cellAt(x, y) };
  const cellOf = (r, c) => board.at.get(`${r},${c}`) ?? null;
  const [meetRow, meetColumn] = [Math.round(down), Math.round(across)];
  const [aside, away] = [Math.abs(across - meetColumn), Math.abs(down - meetRow)];
  const around = [[-1, -1], [-1, 0], [0, -1], [0, 0]].map(([r, c]) => cellOf(meetRow + r, meetColumn + c)).filter((cell) => cell !== null);
  const corner = Math.hypot(aside, away) < NEAR_CORNER && around.length > 1 ? around : null;
  const sides = aside < away ? [cellOf(row, meetColumn - 1), cellOf(row, meetColumn)] : [cellOf(meetRow - 1, column), cellOf(meetRow, column)];
  const edge = Math.min(aside, away) < NEAR_EDGE && !sides.includes(null) ? sides : null;
  return { ...here, corner, edge, outside: here.cell === null ? [row, column] : null };
}
