"""The page to touch computes the same as the library, and accepts any input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from keras import ops, utils
from playwright.sync_api import Locator, Page, expect

from course.data.datasets.sample_encoder import SAMPLE_ENCODER
from course.data.text.vocabulary import Vocabulary
from course.data.text.wordpiece import WordPieceTokenizer
from course.encoder import BertEncoder
from course.explorer import explore
from course.explorer.packing import packed
from course.masked_lm import MaskedLMHead
from course.weights import load_masked_lm
from tests.browser.conftest import PROJECT, accessibility_problems
from tests.website.test_reading import reader  # noqa: F401  a page without a network

pytestmark = pytest.mark.long

SENTENCES = (
    "The [MASK] scored twice in the second half of the match.",
    "The captain has a hamstring [MASK] and may miss the rest of the season.",
    "Shares in the bank fell by four [MASK] after the offer.",
    "Talks over the border ended without an [MASK].",
    "Researchers at the [MASK] tested a drug against malaria.",
    "A decision [MASK] expected next week, and more details [MASK] expected, too.",
    "More details are expected next week.",
    "Paris is the capital of [MASK].",
    "word",
    "[MASK]",
    "[MASK][MASK][MASK]",
    "[mask] [PAD] and [SEP], as typed",
    "THE CAFÉ'S NAÏVE GUEST PAID $5.00 (five)!",
    "El Niño, Zürich, Ångström and Σίσυφος, ΟΣ\u00adΟΣ",
    "東京 is a city; 서울 is another",
    "\u200bsoft\u00adhyphen\tand\u00a0spaces \ufffd\u0007",
    "emoji 🙂 and a family 👩‍👩‍👧 in one word🙂word",
    "x" * 101 + " " + "y" * 100,
    "<script>document.title = 'broken'</script> & <b>bold</b>",
    " ".join(["the match in the second half"] * 30),
)
READ = """([packed, sentence]) => {
  const encoder = new Encoder(packed ?? SAMPLE_ENCODER);
  const { tokens } = encoder.tokenize(sentence);
  const { attention, guesses } = encoder.read(tokens);
  return { tokens, attention: attention.map((layer) => layer.map((head) => [...head])), guesses };
}"""


@pytest.fixture
def touched(reader: Page, site: Path) -> Page:  # noqa: F811
    """The page, with the encoder loaded."""
    reader.goto((site / "touch.html").as_uri())
    reader.get_by_label("A sentence").press("End")
    reader.get_by_label("A sentence").press("!")
    expect(reader.get_by_role("heading", name="All heads")).to_be_visible()
    expect(reader.get_by_label("A sentence")).to_be_focused()
    return reader


def test_a_word_that_an_input_method_composes_is_not_torn_off_by_the_encoder(reader: Page, site: Path) -> None:  # noqa: F811
    reader.goto((site / "touch.html").as_uri())
    sentence = reader.get_by_label("A sentence")
    sentence.fill("The match ")
    sentence.press("End")
    keyboard = reader.context.new_cdp_session(reader)
    keyboard.send("Input.imeSetComposition", {"text": "shi", "selectionStart": 3, "selectionEnd": 3})
    expect(reader.get_by_role("heading", name="All heads")).to_be_visible()
    keyboard.send("Input.insertText", {"text": "是"})
    expect(sentence).to_have_value("The match 是")
    expect(sentence).to_be_focused()


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(Vocabulary.load(SAMPLE_ENCODER / "vocab.txt"))


def computed(
    encoder: BertEncoder, head: MaskedLMHead, tokenizer: WordPieceTokenizer, sentence: str
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The tokens, the attention (layers, heads, query, key) and the probabilities at each place, by the library."""
    vocabulary = tokenizer.vocabulary
    (ids,) = tokenizer.encode([sentence])
    ids = np.array([[vocabulary.cls_id, *ids[: encoder.max_length - 2], vocabulary.sep_id]], "int32")
    x, mask, maps = encoder.embedding(ids), (ids != encoder.padding_id)[:, None, None, :], []
    for block in encoder.blocks:
        maps.append(ops.convert_to_numpy(block.attention(x, attention_mask=mask, return_weights=True)[1])[0])
        x = block(x, attention_mask=mask)
    logits = head(x, encoder.embedding.token_embeddings)
    return vocabulary.pieces_of(ids[0]), np.array(maps), ops.convert_to_numpy(ops.softmax(logits))[0]


def difference(
    found: dict[str, Any], wanted: tuple[list[str], np.ndarray, np.ndarray], vocabulary: Vocabulary
) -> float:
    """The largest difference between the browser's and the library's numbers, once tokens and order agree."""
    tokens, maps, probabilities = wanted
    assert found["tokens"] == tokens
    assert [guess["place"] for guess in found["guesses"]] == [i for i, one in enumerate(tokens) if one == "[MASK]"]
    largest = np.abs(np.array(found["attention"]).reshape(maps.shape) - maps).max()
    for guess in found["guesses"]:
        of_gap = probabilities[guess["place"]]
        given = np.array([one["probability"] for one in guess["likeliest"]])
        assert len(given) == 5
        largest = max(largest, np.abs(given - np.sort(of_gap)[:-6:-1]).max())
        largest = max(largest, np.abs(given - of_gap[[vocabulary[one["piece"]] for one in guess["likeliest"]]]).max())
    return float(largest)


def test_the_page_computes_the_librarys_numbers(touched: Page, tokenizer: WordPieceTokenizer) -> None:
    encoder, head = load_masked_lm(SAMPLE_ENCODER)
    assert len(SENTENCES) == 20
    for sentence in SENTENCES:
        found = touched.evaluate(READ, [None, sentence])
        assert difference(found, computed(encoder, head, tokenizer, sentence), tokenizer.vocabulary) < 1e-4, sentence


def weighed_tokens(page: Page) -> Locator:
    return page.get_by_label("asks", exact=True).get_by_role("button")


@pytest.mark.parametrize("name", ["index", "touch"])
def test_a_page_shows_a_filled_gap_before_the_encoder_has_loaded(name: str, reader: Page, site: Path) -> None:  # noqa: F811
    reader.goto((site / f"{name}.html").as_uri())
    guesses = reader.locator(".explorer-guesses li")
    computed_by_the_library = guesses.all_inner_texts()
    assert len(computed_by_the_library) == 5
    assert reader.evaluate("typeof SAMPLE_ENCODER") == "undefined"
    sentence = reader.get_by_label("A sentence")
    sentence.press("Home")
    sentence.press_sequentially(" ")  # the tokens stay the same
    expect(reader.get_by_role("heading", name="All heads")).to_be_visible()
    assert guesses.all_inner_texts() == computed_by_the_library


def test_gaps_are_filled_while_typing(touched: Page) -> None:
    guesses = touched.locator(".explorer-guesses ol")
    expect(guesses.locator("li")).to_have_count(5)
    touched.get_by_label("A sentence").fill("She scored twice in the second [MASK] of the [MASK].")
    expect(guesses).to_have_count(2)
    expect(guesses.first.locator("li").first).to_contain_text("half")
    touched.get_by_label("A sentence").fill("No gap.")
    expect(guesses).to_have_count(0)


def test_a_screen_reader_is_told_the_guesses(reader: Page, site: Path) -> None:  # noqa: F811
    reader.goto((site / "touch.html").as_uri())
    status = reader.locator(".explorer > [role=status]")
    before = status.element_handle()
    reader.get_by_label("A sentence").fill("She scored twice in the second [MASK] of the match.")
    expect(status).to_contain_text(re.compile(r"and \[SEP\]\. For \[MASK\], token \d+: half "))
    assert before.evaluate("one => one.isConnected")  # a new one would not be read out


@pytest.mark.parametrize(
    ("typed", "said", "tokens"),
    [
        ("", "Type a sentence", 0),
        (" \t ", "Type a sentence", 0),
        ("the " * 500, "reads 126 pieces. 374 at the end are left out", 128),
        ("🙂", "3 tokens", 3),
        ("<script>document.title = 'broken'</script>", "tokens", None),
    ],
)
def test_any_input_is_read_or_answered_with_a_message(typed: str, said: str, tokens: int | None, touched: Page) -> None:
    touched.get_by_label("A sentence").fill(typed)
    expect(touched.locator(".explorer > [role=status]")).to_contain_text(said)
    if tokens is not None:
        expect(weighed_tokens(touched).filter(visible=True)).to_have_count(tokens)
    expect(touched).to_have_title("Touch an encoder - BERT from nothing")


def test_a_head_and_a_token_can_be_chosen_by_keyboard(touched: Page) -> None:
    touched.get_by_label("A sentence").fill("more details are expected")
    expect(weighed_tokens(touched)).to_have_count(6)
    touched.keyboard.press("Tab")
    touched.keyboard.press("Tab")
    expect(touched.get_by_role("button", name="Layer 1, head 2")).to_be_focused()
    touched.keyboard.press("Enter")
    expect(touched.get_by_role("heading", name="Layer 1, head 2")).to_be_visible()
    weighed_tokens(touched).nth(2).press("Space")
    chosen = touched.locator(".explorer-chosen")
    expect(chosen).to_contain_text("details attends to")
    row = touched.evaluate(READ, [None, "more details are expected"])["attention"][0][1][12:18]
    best = max(range(6), key=row.__getitem__)
    expect(chosen).to_contain_text(f"attends to {['[CLS]', 'more', 'details', 'are', 'expected', '[SEP]'][best]} ")
    lines = touched.locator(".explorer-lines line")
    assert lines.count() == sum(weight >= 0.02 for weight in row)
    weighed_tokens(touched).nth(2).press("Space")
    expect(chosen).to_have_text("")
    assert lines.count() > 6


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible_and_fits_the_screen(
    scheme: Literal["light", "dark"], width: int, touched: Page
) -> None:
    touched.set_viewport_size({"width": width, "height": 900})
    touched.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    weighed_tokens(touched).nth(1).click()
    touched.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    touched.screenshot(path=PROJECT / "build" / "screenshots" / f"site-touch-{width}-{scheme}.png", full_page=True)
    assert not accessibility_problems(touched)
    assert touched.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("chosen", ["light", "dark"])
def test_colours_follow_the_switch_of_the_theme(
    chosen: Literal["light", "dark"],
    reader: Page,  # noqa: F811
    site: Path,
) -> None:
    reader.emulate_media(color_scheme="light" if chosen == "dark" else "dark")
    reader.goto((site / "touch.html").as_uri())
    reader.evaluate("chosen => (document.body.dataset.theme = chosen)", chosen)
    box = reader.get_by_label("A sentence")
    wanted = {"light": "rgb(118, 118, 118)", "dark": "rgb(138, 138, 138)"}  # --explorer-edge
    assert box.evaluate("box => getComputedStyle(box).borderTopColor") == wanted[chosen]


@pytest.fixture(scope="module")
def own() -> tuple[BertEncoder, MaskedLMHead, WordPieceTokenizer]:
    """An encoder that a student may have trained: other sizes, weights beyond float16, the approximate GELU."""
    utils.set_random_seed(5)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "The", "cat", "##s", "sat"]
    sizes = {"num_layers": 3, "num_heads": 4, "hidden_dim": 24, "intermediate_dim": 40, "max_length": 11}
    encoder = BertEncoder(vocabulary_size=len(pieces), approximate_gelu=True, epsilon=1e-3, **sizes)
    encoder.build((None, None))
    head = MaskedLMHead(len(pieces), 24, epsilon=1e-2)
    head.build((None, None, 24), (len(pieces), 24))
    random = np.random.default_rng(6)
    for variable in [*encoder.variables, *head.variables]:
        if variable.dtype == "float32":
            variable.assign(0.5 * random.standard_normal(variable.shape) + ("gamma" in variable.path))
    return encoder, head, WordPieceTokenizer(Vocabulary(pieces), lowercase=False)


def test_a_notebook_shows_the_students_own_encoder(
    reader: Page,  # noqa: F811
    own: tuple[BertEncoder, MaskedLMHead, WordPieceTokenizer],
) -> None:
    encoder, head, tokenizer = own
    text = "The cats [MASK] </script><b>sat</b>"
    reader.set_content(explore(encoder, tokenizer, text, head)._repr_html_())
    frame = reader.frame_locator("iframe")
    expect(frame.get_by_label("A sentence")).to_have_value(text)
    expect(frame.locator(".explorer-guesses li")).to_have_count(5)
    for sentence in ("The cats sat [MASK]", "the [MASK] cat sat [MASK] on The cats " * 3):
        found = reader.frames[1].evaluate(READ, [packed(encoder, tokenizer, head), sentence])
        assert difference(found, computed(encoder, head, tokenizer, sentence), tokenizer.vocabulary) < 1e-4


def test_without_a_head_there_are_no_guesses(
    reader: Page,  # noqa: F811
    own: tuple[BertEncoder, MaskedLMHead, WordPieceTokenizer],
) -> None:
    reader.set_content(explore(own[0], own[2], "The [MASK] sat")._repr_html_())
    frame = reader.frame_locator("iframe")
    expect(frame.get_by_label("asks", exact=True).get_by_role("button")).to_have_count(5)
    expect(frame.locator(".explorer-guesses li")).to_have_count(0)
    expect(frame.get_by_text("where a word is to be guessed")).to_have_count(0)
