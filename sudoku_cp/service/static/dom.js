// Making and patching elements: a text never passes through an HTML parser here.

const SVG = "http://www.w3.org/2000/svg";

/** Set attributes: functions are listeners, true and false are presence, `dataset` and `style` are objects of their own. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (name === "dataset" || name === "style") Object.assign(element[name], value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value === true ? "" : value)) element.setAttribute(name, value === true ? "" : value);
  }
  return element;
}

/** An element of HTML with its attributes and children; children are nodes, texts or nothing. */
export function h(tag, attributes = {}, ...children) {
  const element = set(document.createElement(tag), attributes);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of SVG. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

/** Write a text where it differs from the present one. */
export function setText(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Make nodes the children of an element; those that stay where they are keep the focus. */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, at) => node === parent.childNodes[at] || parent.insertBefore(node, parent.childNodes[at] ?? null));
}

/** Listen to several events of a target; returns a function that ends it. */
export function listen(target, listeners, options) {
  for (const [name, listener] of Object.entries(listeners)) target.addEventListener(name, listener, options);
  return () => Object.entries(listeners).forEach(([name, listener]) => target.removeEventListener(name, listener, options));
}

/** A panel with a heading and, beside it, buttons. */
export function card(heading, { side = [], ...attributes } = {}, ...children) {
  const top = heading || side.length ? [h("h2", {}, heading ?? "", h("span", { class: "row" }, side))] : [];
  return h("section", { ...attributes, class: `card ${attributes.class ?? ""}` }, top, children);
}

const ALLOWED = new Set(["svg", "g", "path", "circle", "rect", "polygon", "polyline", "text", "title", "tspan"]);

/** How light a colour is, from 0 to 255, written as #RRGGBB; null for greys, which follow the theme, and for none. */
function lightness(colour) {
  const [red, green, blue] = /^#(..)(..)(..)$/.exec(colour ?? "")?.slice(1).map((part) => parseInt(part, 16)) ?? [];
  return red === green && green === blue ? null : 0.3 * red + 0.59 * green + 0.11 * blue;
}

/** The elements of a text of SVG, without any that pictures never have, and without listeners and links. */
export function svgNodes(text) {
  const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
  for (const element of [...parsed.documentElement.querySelectorAll("*")]) {
    if (!ALLOWED.has(element.localName)) element.remove();
    for (const { name } of [...element.attributes]) if (/^on|href$|^style$/i.test(name)) element.removeAttribute(name);
    const colour = lightness(element.getAttribute("stroke")) ?? lightness(element.getAttribute("fill"));
    if (colour !== null) element.classList.add(colour < 128 ? "deep" : "pale"); // turned over in the dark
  }
  return [...parsed.documentElement.childNodes].map((node) => document.importNode(node, true));
}
