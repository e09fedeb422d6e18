// Loads the encoder when the reader clicks the button, and then shows it.
const place = document.getElementById("explorer");
const load = document.getElementById("explorer-load");

// Until this line runs, the page says that it needs scripts, in case they are switched off or fail.
document.getElementById("explorer-needs").remove();
document.getElementById("explorer-start").hidden = false;
load.addEventListener("click", () => {
  load.disabled = true;
  const said = document.getElementById("explorer-said");
  said.textContent = "Loading …";
  const script = document.createElement("script");
  script.src = "explorer/sample_encoder.js";
  script.onload = () => {
    Explorer.show(place, SAMPLE_ENCODER, "She scored twice in the second [MASK] of the match.");
    place.querySelector("input").focus();
  };
  script.onerror = () => {
    said.textContent = "The encoder could not be loaded. Try again.";
    load.disabled = false;
  };
  document.head.append(script);
});
