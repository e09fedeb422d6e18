// Loads the encoder when the reader first types, and then shows it. Until then the page shows a computed example.
const place = document.getElementById("explorer");
const input = document.getElementById("explorer-text");
const said = document.getElementById("explorer-needs");

// Until these lines run, the page says that it needs scripts, in case they are switched off or fail.
input.disabled = false;
said.textContent = "Write [MASK] where a word is to be guessed.";

function load() {
  input.removeEventListener("input", load);
  said.textContent = "Loading the encoder …";
  const script = document.createElement("script");
  script.src = "explorer/sample_encoder.js";
  script.onload = () => Explorer.show(place, SAMPLE_ENCODER, input.value);
  script.onerror = () => {
    said.textContent = "The encoder could not be loaded. Type on to try again.";
    input.addEventListener("input", load);
  };
  document.head.append(script);
}
input.addEventListener("input", load);
