// Unpacks the installed Chromium, if it is not yet, and prints where it is.
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
