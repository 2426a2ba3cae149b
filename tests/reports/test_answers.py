"""What commands that compare studies show, in a terminal and on a page."""

from experiments.reports.answers import Sheet


def test_a_caption_of_several_lines_is_one_text_on_a_page():
    caption = "what could be used beside\nother actions; what was\nused"
    sheet = Sheet("title", ("name", "number"), [("one", "1")], caption)
    assert "<caption>what could be used beside other actions; what was used</caption>" in sheet.html()
    assert "beside\nother" in str(sheet.for_terminal().caption)


def test_the_lines_of_a_title_are_kept_apart_on_a_page():
    sheet = Sheet("Pebbles: 3 players\nscore: points of a seat", ("name", "number"), [("one", "1")], "")
    assert "<p>Pebbles: 3 players; score: points of a seat</p>" in sheet.html()
    assert "players\nscore" in str(sheet.for_terminal().title)
