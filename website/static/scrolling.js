// Elements wider than the page scroll sideways. They are focusable, so that the keyboard reaches them.
const wide = ".highlight pre, .table-wrapper, .cell_output, .equation, .output pre";
const scrolling = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(wide)) scrolling.observe(element);
});
