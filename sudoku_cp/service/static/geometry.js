// Outlines of sets of cells, in hundredths of a cell; a place is [row, column].

/** The squares of cells as the data of one path; those side by side are one, which is quicker to fill. */
export function squares(places) {
  const inside = new Set(places.map(String));
  const path = [];
  for (const [row, column] of places) {
    if (inside.has(`${row},${column - 1}`)) continue;
    let end = column + 1;
    while (inside.has(`${row},${end}`)) end += 1;
    path.push(`M${100 * column} ${100 * row}H${100 * end}v100H${100 * column}z`);
  }
  return path.join("");
}

/** The boundary of a set of cells, moved inwards by `inset`, and closed at inner corners too. */
export function outline(places, inset) {
  const inside = new Set(places.map(String));
  const has = (row, column) => inside.has(`${row},${column}`);
  // How far a side reaches past its cell: it stops short at an outer corner, and goes on at an inner one.
  const reach = (beside, diagonal) => (!has(...beside) ? -inset : has(...diagonal) ? inset : 0);
  const path = [];
  for (const [row, column] of places) {
    const [x, y] = [100 * column, 100 * row];
    for (const side of [-1, 1]) {
      const edge = 50 + side * (50 - inset);
      if (!has(row + side, column)) {
        const left = reach([row, column - 1], [row + side, column - 1]);
        const right = reach([row, column + 1], [row + side, column + 1]);
        path.push(`M${x - left} ${y + edge}H${x + 100 + right}`);
      }
      if (!has(row, column + side)) {
        const top = reach([row - 1, column], [row - 1, column + side]);
        const bottom = reach([row + 1, column], [row + 1, column + side]);
        path.push(`M${x + edge} ${y - top}V${y + 100 + bottom}`);
      }
    }
  }
  return path.join("");
}

/** The line through the middles of cells. */
export function route(places) {
  return places.map(([row, column], index) => `${index ? "L" : "M"}${100 * column + 50} ${100 * row + 50}`).join("");
}
