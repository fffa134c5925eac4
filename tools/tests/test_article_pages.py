"""How the site turns the outputs of a notebook into a page."""

import unittest

from tests import site_modules


def printed(text: str) -> dict:
    return {"output_type": "stream", "name": "stdout", "text": text}


class ArticlePageTest(unittest.TestCase):
    def setUp(self) -> None:
        (self.articles,) = site_modules.imported(self, "articles")

    def test_printed_text_that_came_in_pieces_is_one_output_and_other_outputs_part_it(self) -> None:
        table = {"output_type": "execute_result", "data": {}}
        found = self.articles.in_one([printed("val a ="), {**printed(""), "text": [" 1\n", "val b"]}, table, printed("end")])
        self.assertEqual([output.get("text") for output in found], ["val a = 1\nval b", None, "end"])


if __name__ == "__main__":
    unittest.main()
