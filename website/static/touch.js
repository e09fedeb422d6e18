// Fetches the encoder when it is asked for, and then shows it.
const place = document.getElementById("explorer");
const load = document.getElementById("explorer-load");

// Until here, the page says that it needs scripts: to those who switched them off, and to those for whom they fail.
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
