// The search shows an excerpt of each page that it finds. This leaves folded text out of the excerpts.
// It runs after the search has loaded, and before it starts.
if (typeof Search !== "undefined") {
  const pieceOf = Search.htmlToText;
  Search.htmlToText = (text, anchor) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const fold of page.querySelectorAll("details")) fold.remove();
    return pieceOf(page.documentElement.outerHTML, anchor);
  };
  // When a site is opened from disk, the browser lets no script read other pages.
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
