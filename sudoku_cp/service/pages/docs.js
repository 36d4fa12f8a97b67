// Shows the OpenAPI document of this service: each operation with its fields, its answers, and an example to try.
"use strict";

/** Return an element with attributes and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

/** Return the schema that a reference stands for. */
function resolve(document_, schema) {
  const name = schema?.$ref?.split("/").pop();
  return name ? document_.components.schemas[name] : schema;
}

/** Return the type of a field in words. */
function typeName(schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.anyOf || schema.oneOf) return (schema.anyOf || schema.oneOf).map(typeName).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return schema.type === "array" ? `array of ${typeName(schema.items || {})}` : schema.type || "anything";
}

/** Return a table of the fields of a schema. */
function fieldTable(document_, schema) {
  const resolved = resolve(document_, schema) || {};
  const table = element("table");
  for (const [name, field] of Object.entries(resolved.properties || {})) {
    const needed = (resolved.required || []).includes(name) ? " (needed)" : "";
    const words = [field.description || "", field.default === undefined ? "" : `Default: ${JSON.stringify(field.default)}.`];
    table.append(element("tr", {}, element("td", {}, element("code", {}, name), needed), element("td", {}, typeName(field)),
      element("td", {}, words.join(" "))));
  }
  return table;
}

/** Send the body in the text area, and show what comes back. */
async function send(method, path, area, shown) {
  const headers = { "Content-Type": "application/json" };
  const key = document.getElementById("key").value;
  if (key) headers.Authorization = `Bearer ${key}`;
  shown.textContent = "…";
  try {
    const response = await fetch(path, { method, headers, body: area ? area.value : undefined });
    const text = await response.text();
    shown.textContent = `${response.status} ${response.statusText}\n${response.headers.get("Location") || ""}\n${text}`;
  } catch (error) {
    shown.textContent = String(error);
  }
}

/** Return the part of the page for one operation. */
function operationSection(document_, path, method, operation) {
  const details = element("details", { id: operation.operationId },
    element("summary", {}, element("code", {}, `${method.toUpperCase()} ${path}`), ` ${operation.summary || ""}`));
  if (operation.description) details.append(element("p", {}, operation.description));
  const content = operation.requestBody?.content?.["application/json"];
  const shown = element("pre", { "aria-live": "polite" });
  let area = null;
  if (content) {
    details.append(element("h3", {}, "Body"), fieldTable(document_, content.schema));
    area = element("textarea", { rows: "8", "aria-label": `Body of ${path}`, spellcheck: "false" });
    area.value = JSON.stringify(content.examples?.example?.value ?? {}, null, 2);
    details.append(area);
  }
  if (!path.includes("{")) {
    const button = element("button", { type: "button" }, "Send");
    button.addEventListener("click", () => send(method.toUpperCase(), path, area, shown));
    details.append(button, shown);
  }
  const answers = element("ul");
  for (const [status, answer] of Object.entries(operation.responses || {})) {
    answers.append(element("li", {}, `${status}: ${answer.description}`));
  }
  details.append(element("h3", {}, "Answers"), answers);
  const answer = operation.responses?.["200"]?.content?.["application/json"]?.schema;
  if (answer) details.append(fieldTable(document_, answer));
  return details;
}

/** Fetch the document and fill the page. */
async function main() {
  const place = document.getElementById("operations");
  const document_ = await (await fetch("/openapi.json")).json();
  place.replaceChildren();
  for (const [path, operations] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      place.append(operationSection(document_, path, method, operation));
    }
  }
}

main();
