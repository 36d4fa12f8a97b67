// Larger and smaller: a part of the board fills the stage. What fits is the whole; the part in sight follows the cursor.

const STEP = 1.25;
const MOST = 6;

/** Watch the wheel, and register the actions of zooming. */
export function zooming(app) {
  const { board } = app;
  let scale = 1;
  let middle = null; // of what is in sight, in hundredths of a cell

  function show() {
    if (!app.picture) return;
    const [left, top, width, height] = app.picture.box;
    const [wide, high] = [width / scale, height / scale];
    middle ??= [left + width / 2, top + height / 2];
    const within = (at, start, whole, part) => Math.max(start, Math.min(start + whole - part, at - part / 2));
    const view = [within(middle[0], left, width, wide), within(middle[1], top, height, high), wide, high];
    board.look(view);
  }

  function zoom(factor, around) {
    scale = Math.max(1, Math.min(MOST, scale * factor));
    middle = scale === 1 ? null : (around ?? middle);
    show();
  }

  const cursorPlace = () => {
    const place = app.picture.cells[app.selection.cursor];
    return place ? [100 * place[1] + 50, 100 * place[0] + 50] : null;
  };

  function wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, board.point(event.clientX, event.clientY).map((length) => 100 * length));
  }

  /** Bring the cursor back into sight. */
  function follow() {
    if (scale === 1 || !cursorPlace()) return;
    const [left, top, wide, high] = board.box;
    const [x, y] = cursorPlace();
    if (x < left + 50 || x > left + wide - 50 || y < top + 50 || y > top + high - 50) {
      middle = [x, y];
      show();
    }
  }

  board.element.addEventListener("wheel", wheel, { passive: false });
  app.listen({ selection: follow, puzzle: ({ detail }) => (detail.edited || (scale = 1), (middle = null), show()) });
  app.register({
    "zoom-in": () => zoom(STEP, cursorPlace()),
    "zoom-out": () => zoom(1 / STEP, cursorPlace()),
    "zoom-fit": () => zoom(0),
  });
}
