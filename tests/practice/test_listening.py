"""Understanding the line: a question is known by its prompt, whatever was said before it."""

from __future__ import annotations

from hotline.practice.listening import Ear

GROUPS = ("Biden", "Uncommitted", "De la Rue", "Rue")


def test_the_question_is_what_was_said_last() -> None:
    """An echo and a total may sound like questions; the one that ends the words is meant."""
    ear = Ear({"first": "First. {group}?", "check": "1 to go on."}, GROUPS)
    asked = ear.last("1 to go on. First. Biden?", ("first", "check"))
    assert asked is not None
    assert ("first", {"group": "Biden"}) == (asked.prompt, asked.values)


def test_the_longer_prompt_wins_where_two_fit() -> None:
    """`{group}?` fits inside `Next, {group}?`; more words were recognised of the second."""
    ear = Ear({"group": "{group}?", "next": "Next, {group}?"}, GROUPS)
    heard = [asked.prompt for said in ("12. Next, Rue?", "Rue?") if (asked := ear.last(said, ("group", "next")))]
    assert ["next", "group"] == heard


def test_a_longer_name_is_not_cut_short() -> None:
    """One group's name may end in another's."""
    ear = Ear({"next": "Next, {group}?"}, GROUPS)
    asked = ear.last("Next, De la Rue?", ("next",))
    assert asked is not None
    assert "De la Rue" == asked.values["group"]


def test_lists_counts_and_digits_are_told_apart() -> None:
    """Values are recognised by their form, so words around them may change."""
    ear = Ear({"read": "Final: {groups}, rest zero.", "done": "Number {confirmation}. Again {confirmation}."}, GROUPS)
    said = "Final: Biden 4, De la Rue 12, rest zero. Number 1 2 3 4 5 0. Again 1 2 3 4 5 0."
    assert [{"groups": "Biden 4, De la Rue 12"}] == [each.values for each in ear.find(said, "read")]
    assert [{"confirmation": "1 2 3 4 5 0"}] == [each.values for each in ear.find(said, "done")]


def test_a_number_repeated_otherwise_is_not_understood() -> None:
    """The same value twice in a prompt is the same number twice."""
    ear = Ear({"done": "Number {confirmation}. Again {confirmation}."}, GROUPS)
    assert [] == list(ear.find("Number 1 2. Again 1 3.", "done"))


def test_nothing_known_was_said() -> None:
    """A caller at a loss knows it."""
    ear = Ear({"pin": "Your PIN."}, GROUPS)
    assert ear.last("Please stay on the line.", ("pin", "no-such-prompt")) is None
