"""Every phrase of the page is in one file, for translation."""

from __future__ import annotations

from .phrases import in_script, listed, phrases


def test_no_phrase_is_left_out():
    """If this fails, run python tests/studio/phrases.py"""
    assert set(phrases()) - set(listed()) == set()


def test_no_phrase_has_gone():
    assert set(listed()) - set(phrases()) == set()


def test_phrases_are_found_and_nothing_else_is():
    code = (
        'make("p", { class: "hint big" }, `${count} games${over ? `, ${lost} lost` : ""}`); find(".a b"); // "no text"'
    )
    assert in_script(code) == {"{} games{}", ", {} lost"}


def test_a_translation_has_as_many_gaps():
    assert [one for one, other in listed().items() if one.count("{}") != other.count("{}")] == []
