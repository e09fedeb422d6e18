// What is wider than the page scrolls sideways. By keyboard it can only be reached if it takes the focus, so it does.
const wide = ".highlight pre, .table-wrapper, .cell_output, .equation, .output pre";
const scrolling = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
document.addEventListener("DOMContentLoaded", () => {
  for (const one of document.querySelectorAll(wide)) scrolling.observe(one);
});
