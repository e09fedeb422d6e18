// Sorts and filters the table of students. Without it the table is all there, in the order of the names.
"use strict";
const table = document.getElementById("students");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const search = document.getElementById("search");
const kind = document.getElementById("kind");
const shown = document.getElementById("shown");

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

function filter() {
  const wanted = search.value.trim().toLowerCase();
  let count = 0;
  for (const row of rows) {
    const kinds = row.dataset.kinds.split(",");
    const named = row.cells[0].textContent.toLowerCase().includes(wanted);
    const fits = kind.value === "" || (kind.value === "any" ? row.dataset.kinds !== "" : kinds.includes(kind.value));
    row.hidden = !(named && fits);
    count += row.hidden ? 0 : 1;
  }
  shown.textContent = `${count} of ${rows.length} students`;
}

for (const header of table.tHead.rows[0].cells) {
  header.querySelector("button").addEventListener("click", () => sort(header));
}
search.addEventListener("input", filter);
kind.addEventListener("change", filter);
document.getElementById("controls").hidden = false;
filter();
