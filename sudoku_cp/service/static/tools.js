// The tools of design, made from the registry of rules: their fields, how these are read and written, and the rule they make.
//
// A field is { name, plain, depth, optional, required, default }: `plain` (Cell, int, bool, str, Rule) in lists `depth` deep.
// Nothing here knows a page; it runs under node too.

/** The tool of a listed rule: its fields, and which of them the gesture fills (`placed`). */
export function toolOf(listed) {
  const fields = Object.entries(listed.fields).map(([name, type]) => fieldOf(name, type, listed.defaults));
  const placed = fields.filter((field) => field.required && ["Cell", "Rule"].includes(field.plain));
  const typed = fields.filter((field) => !placed.includes(field));
  return { ...listed, fields, placed, typed, words: listed.title, diagonal: looksDiagonally(listed) };
}

function fieldOf(name, type, defaults) {
  const required = !(name in defaults);
  const depth = type.split("tuple[").length - 1;
  const plain = /Cell|int|bool|str|Rule/.exec(type.replaceAll("tuple", ""))[0];
  return { name, plain, depth, optional: type.endsWith("None"), required, default: required ? undefined : defaults[name] };
}

/** The name of a kind, a field or a family as a heading: "a-name" as "A name". */
export const words = (kind) => kind.replace(/[-_]/g, " ").replace(/^./, (letter) => letter.toUpperCase());

const rowAndColumn = (name) => /^r(\d+)c(\d+)$/.exec(name).slice(1).map(Number);

function looksDiagonally({ gesture, example }) {
  if (gesture !== "outside") return false;
  const [one, other] = example.cells.map(rowAndColumn);
  return one[0] !== other[0] && one[1] !== other[1];
}

/** A name as people may type it: "X-sums", "x sum" and "xsums" are one. */
const plainName = (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "").replace(/s$/, "");

/**
 * How well a tool fits what people look for, the lower the better: 0 by its name, 1 by a name elsewhere, 2 by how one of these begins,
 * 3 by words of its names, 4 by words of its meaning; null if it does not fit.
 */
function rankOf(tool, sought) {
  const elsewhere = Object.values(tool.elsewhere).flatMap((names) => names.split(", "));
  const wanted = plainName(sought);
  if (plainName(tool.words) === wanted) return 0;
  if (elsewhere.some((name) => plainName(name) === wanted)) return 1;
  if ([tool.words, ...elsewhere].some((name) => plainName(name).startsWith(wanted))) return 2;
  const typed = sought.toLowerCase().trim().split(/\s+/);
  const has = (text) => typed.every((word) => text.toLowerCase().includes(word));
  if (has([tool.kind, tool.words, tool.family, ...elsewhere].join(" "))) return 3;
  return has([tool.kind, tool.words, tool.family, tool.meaning, ...elsewhere].join(" ")) ? 4 : null;
}

/** The tools that fit what people look for, the best first. */
export function findTools(tools, sought) {
  const ranked = tools.map((tool) => [rankOf(tool, sought), tool]).filter(([rank]) => rank !== null);
  return ranked.sort(([one], [other]) => one - other).map(([, tool]) => tool);
}

/** The tools by family, in the order of the alphabet. */
export function byFamily(tools) {
  const families = new Map();
  for (const tool of tools) families.set(tool.family, [...(families.get(tool.family) ?? []), tool]);
  return [...families].sort(([one], [other]) => one.localeCompare(other));
}

// --- fields as people type them -----------------------------------------------------------------------------------

const CELL = /^r\d+c\d+$/i;

/** A field's value as text: "1, 2, 3", and "1, 3; 2, 0" for lists of lists. */
export function write(field, value) {
  if (value === null || value === undefined) return "";
  if (field.depth === 2) return value.map((each) => each.join(", ")).join("; ");
  return field.depth ? value.join(", ") : String(value);
}

/** The value that a text means. Throws an Error that says what was expected and what came. */
export function read(field, text) {
  const typed = String(text).trim();
  if (field.depth === 2) return typed.split(/[;\n]/).map((each) => list(field, each)).filter((each) => each.length);
  if (field.depth === 1) return list(field, typed);
  if (typed === "" && field.optional) return null;
  if (typed === "" && !field.required) return field.default;
  return READERS[field.plain](typed);
}

const list = (field, text) => text.split(/[\s,]+/).filter(Boolean).map((each) => READERS[field.plain](each));

function refuse(expected, text) {
  throw new Error(`expected ${expected}, got ${text === "" ? "nothing" : `"${text}"`}`);
}

const READERS = {
  int: (text) => (/^[-−+]?\d+$/.test(text) ? Number(text.replace("−", "-")) : refuse("a whole number", text)),
  bool: (text) => (/^(true|false)$/.test(text) ? text === "true" : refuse("yes or no", text)),
  str: (text) => text || refuse("a text", text),
  Cell: (text) => (CELL.test(text) ? text.toLowerCase() : refuse("a cell such as r4c7", text)),
};

/** Whether a field has no value before one is typed: the numbers of what is drawn over cells. Signs are turned by presses, and begin with one. */
const isAwaited = ({ gesture }, { required, plain, depth }) => required && plain === "int" && depth < 2 && !["edge", "corner", "switch"].includes(gesture);

/** What fields start with before anything is typed: nothing where a number is awaited, else the example's value if they are required. */
export function startingValues(tool) {
  const start = (field) => (field.required ? tool.example[field.name] : field.default);
  return Object.fromEntries(tool.typed.map((field) => [field.name, isAwaited(tool, field) ? undefined : start(field)]));
}

/** The field whose value a rule still waits for; undefined if there is none. */
export const missingField = (tool, typed) => tool.typed.find((field) => isAwaited(tool, field) && (typed[field.name] === undefined || typed[field.name]?.length === 0));

/** The rule that a tool makes of the placed and the typed fields; fields at their defaults are left out. */
export function ruleOf(tool, placed, typed) {
  const rule = { kind: tool.kind };
  for (const { name, required, default: usual } of tool.fields) {
    const value = name in typed ? typed[name] : placed[name];
    if (required || (value !== undefined && JSON.stringify(value) !== JSON.stringify(usual))) rule[name] = value;
  }
  return rule;
}
