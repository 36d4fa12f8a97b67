// Cells by their names, lines of them, and the ways between them. A grid is { places, at, longest }: the [row, column] of each cell,
// the cells by "row,column", and how many cells a line has at most; a board has the first two.

const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]];

/** A grid for gestures from the layers of a picture. */
export function gridOf({ cells, values }) {
  return { places: cells, at: new Map(cells.map((place, cell) => [String(place), cell])), longest: values.length };
}

export const cellName = (grid, cell) => `r${grid.places[cell][0] + 1}c${grid.places[cell][1] + 1}`;

/** The cell of a name such as r4c7; undefined if the grid has none. */
export function cellNamed(grid, name) {
  const [row, column] = /^r(\d+)c(\d+)$/.exec(name).slice(1).map(Number);
  return grid.at.get(`${row - 1},${column - 1}`);
}

/** The lines of cells that begin beside a place outside, with those first that look as a tool's clues do. */
export function rays(grid, [row, column], diagonal) {
  const found = DIRECTIONS.map(([down, right]) => ({ slanted: Boolean(down && right), cells: ray(grid, row, column, down, right) }));
  const some = found.filter(({ cells }) => cells.length > 1);
  return some.sort((one, other) => (one.slanted !== diagonal) - (other.slanted !== diagonal)).map(({ cells }) => cells);
}

function ray(grid, row, column, down, right) {
  const cells = [];
  for (let step = 1; step <= grid.longest; step += 1) {
    const cell = grid.at.get(`${row + step * down},${column + step * right}`);
    if (cell === undefined) break;
    cells.push(cell);
  }
  return cells;
}

/** The cells on the way from one to another, without the first; a quick pointer jumps over some. */
export function path(grid, from, to) {
  const [[row, column], [lastRow, lastColumn]] = [grid.places[from], grid.places[to]];
  const steps = Math.max(Math.abs(lastRow - row), Math.abs(lastColumn - column));
  const at = (start, end, step) => Math.round(start + ((end - start) * step) / steps);
  const cells = Array.from({ length: steps }, (_, step) => grid.at.get(`${at(row, lastRow, step + 1)},${at(column, lastColumn, step + 1)}`));
  return cells.includes(undefined) ? [to] : cells;
}
