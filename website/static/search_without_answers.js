// The search shows a piece of each page that it finds. What a page keeps behind a fold is not shown there either.
// It runs when the search is there, and before that begins.
if (typeof Search !== "undefined") {
  const pieceOf = Search.htmlToText;
  Search.htmlToText = (text, anchor) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const fold of page.querySelectorAll("details")) fold.remove();
    return pieceOf(page.documentElement.outerHTML, anchor);
  };
  // Of a site that is read from its files, a browser shows pages and lets no script read them.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
