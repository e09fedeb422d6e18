// Sorts and filters the table of students and the mistakes. Without it, the page shows all of them, sorted by name.
"use strict";
const table = document.getElementById("students");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const mistakes = Array.from(document.querySelectorAll("[data-mistake]"));
const sentences = mistakes.map((mistake) =>
  plain(mistake.querySelector("summary").textContent.replace(/, \d+ students?\b.*$/s, "")),
);
const search = document.getElementById("search");
const kind = document.getElementById("kind");
const shown = document.getElementById("shown");

// As texts are compared: in file names from macOS, "й" and "ë" are two characters each.
function plain(text) {
  return text.normalize("NFC").toLowerCase();
}

function value(row, column) {
  const cell = row.cells[column];
  return cell.classList.contains("number") ? Number(cell.textContent) : cell.textContent.trim();
}

function compare(first, second) {
  return typeof first === "number" ? first - second : first.localeCompare(second);
}

function sort(header) {
  const column = header.cellIndex;
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const order = ascending ? 1 : -1;
  rows.sort((first, second) => order * compare(value(first, column), value(second, column)));
  body.append(...rows);
}

// The text finds students by name and mistakes by sentence; then also the students who made a found mistake, and the
// mistakes of students found by name.
function filter() {
  const wanted = plain(search.value.trim());
  const said = new Set(sentences.flatMap((sentence, place) => (sentence.includes(wanted) ? [String(place)] : [])));
  const made = new Set();
  let count = 0;
  for (const row of rows) {
    const kinds = row.dataset.kinds.split(",");
    const own = row.dataset.mistakes.split(" ");
    const named = plain(row.cells[0].textContent).includes(wanted);
    const fits = kind.value === "" || (kind.value === "any" ? row.dataset.kinds !== "" : kinds.includes(kind.value));
    row.hidden = !(fits && (named || own.some((mistake) => said.has(mistake))));
    count += row.hidden ? 0 : 1;
    if (named) own.forEach((mistake) => made.add(mistake));
  }
  let left = 0;
  for (const mistake of mistakes) {
    mistake.hidden = !(said.has(mistake.dataset.mistake) || made.has(mistake.dataset.mistake));
    left += mistake.hidden ? 0 : 1;
  }
  const named = mistakes.length ? `, ${left} of ${mistakes.length} mistakes` : "";
  shown.textContent = `${count} of ${rows.length} students${named}`;
}

function sayWhatScrolls() {
  for (const wide of document.querySelectorAll(".wide")) {
    const region = wide.querySelector(".scroll");
    const scrolls = region.scrollWidth > region.clientWidth;
    wide.classList.toggle("scrolls", scrolls);
    wide.classList.toggle("fits", !scrolls);
  }
}

for (const header of table.tHead.rows[0].cells) {
  header.querySelector("button")?.addEventListener("click", () => sort(header));
}
search.addEventListener("input", filter);
kind.addEventListener("change", filter);
document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
document.getElementById("controls").hidden = false;
addEventListener("resize", sayWhatScrolls);
filter();
sayWhatScrolls();
