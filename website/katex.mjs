// Sets equations: reads a line of JSON for each, and writes a line of JSON with its HTML.
import { createInterface } from "node:readline";
import katex from "katex";

for await (const line of createInterface({ input: process.stdin })) {
  const { equation, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(equation, { displayMode: display, throwOnError: true, strict: "error" }) };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
