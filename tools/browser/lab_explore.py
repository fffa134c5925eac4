"""JupyterLab as a reader meets it: Run All, stop, sliders, sortable tables, completion, and errors in a sentence."""

import os
import unittest

import browsers
import psutil
from jupyterlab import JupyterLabTest, kinds, plain
from lab.base import places
from lab.notebook import notebooks

LOAD = "%use @file[lab.json]"
WIDGET = "application/vnd.jupyter.widget-view+json"
in_long_tests = unittest.skipUnless(os.environ.get("CLIENT_LAB_LONG") == "1", "it is one of the slow tests: lab test --long")


def forks() -> list[int]:
    """The trial JVMs that are alive on this machine."""
    return [each.pid for each in psutil.process_iter(["cmdline"]) if any("clientlab.workloads.TrialMain" in part for part in each.info["cmdline"] or [])]


@in_long_tests
class RunAll(JupyterLabTest):
    def test_run_all_gives_every_cell_the_outputs_that_the_article_has(self) -> None:
        for name in notebooks.articles():
            with self.subTest(name):
                page = self.opened(self.copied(name))
                self.run_all(page)
                saved = self.finished(page, name)
                browsers.shot(page, f"jupyterlab-{name}")
                committed = notebooks.load(places.NOTEBOOKS / f"{name}.ipynb")
                for fresh, article in zip(notebooks.code_cells(saved), notebooks.code_cells(committed), strict=True):
                    self.assertNotIn("error", [output["output_type"] for output in fresh["outputs"]], plain(fresh))
                    shown = [{kind for kind in each if kind != WIDGET} for each in kinds(fresh)]
                    self.assertEqual(shown, kinds(article), notebooks.source_of(fresh))
                self.quiet(page)
                page.context.close()


@in_long_tests
class Stop(JupyterLabTest):
    def test_the_stop_button_ends_the_run_and_its_forks_and_keeps_what_was_measured(self) -> None:
        run = 'val trials = Experiment("stopped", Burst(clients("ktor-cio"), inFlight = listOf(5, 6, 7, 8), delay = 800.milliseconds), forks = 1).run()'
        kept = 'Experiment("stopped", Burst(clients("ktor-cio"), inFlight = listOf(5, 6, 7, 8), delay = 800.milliseconds), forks = 1).lastRun().rowsCount()'
        name = self.written("stop", LOAD, run, kept)
        page = self.opened(name)
        page.click(".jp-Notebook .jp-Cell >> nth=0")
        page.keyboard.press("Shift+Enter")
        page.keyboard.press("Shift+Enter")
        # One trial is over and another has begun.
        page.wait_for_selector(".jp-OutputArea-output:has-text('1 of 4 trials')")
        page.click("jp-button[data-command='notebook:interrupt-kernel'], button[data-command='notebook:interrupt-kernel']")
        page.wait_for_selector(".jp-OutputArea-output:has-text('stopped after')")
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
        self.assertEqual(forks(), [])
        browsers.shot(page, "jupyterlab-stopped")
        page.click(".jp-Notebook .jp-Cell >> nth=2")
        page.keyboard.press("Shift+Enter")
        page.wait_for_selector(".jp-Cell >> nth=2 >> .jp-OutputArea-executeResult")
        count = int(page.inner_text(".jp-Cell >> nth=2 >> .jp-OutputArea-executeResult .jp-OutputArea-output").strip())
        self.assertIn(count, (1, 2, 3))
        self.assertEqual(page.watch.strangers, [])


@in_long_tests
class Sliders(JupyterLabTest):
    def test_a_slider_that_is_moved_has_another_burst_measured_and_drawn(self) -> None:
        name = self.written("sliders", LOAD, 'import clientlab.articles.sliders.*\n\nval panel = explore(clients("ktor-cio", "retrofit"), inFlight = 1..20, delay = 200.milliseconds..1.seconds)\npanel')
        page = self.opened(name)
        self.run_all(page)
        page.wait_for_selector(".widget-html-content svg")
        self.assertIn("All 20 requests", page.inner_html(".widget-html-content:has(svg)"))
        handle = page.locator(".widget-slider .noUi-handle").first
        handle.focus()
        for _ in range(8):
            page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => [...document.querySelectorAll('.widget-html-content svg')].some(s => s.textContent.includes('All 12 requests'))")
        page.select_option(".widget-dropdown select", label="retrofit")
        page.wait_for_function("() => [...document.querySelectorAll('.widget-html-content table')].some(t => t.textContent.includes('retrofit'))")
        browsers.shot(page, "jupyterlab-sliders")
        self.quiet(page)


class Reading(JupyterLabTest):
    def test_a_click_on_a_column_sorts_by_it_and_a_second_one_turns_it(self) -> None:
        page = self.opened(self.written("sorted", LOAD, 'dataFrameOf("name", "n")("b", 10, "c", 9, "a", 100)'))
        self.run_all(page)
        first = ".jp-OutputArea-output table tbody tr:first-child td"
        head = page.locator(".jp-OutputArea-output table th", has_text="n").last
        head.click()
        page.wait_for_function("s => document.querySelector(s).textContent === 'c'", arg=first)
        head.press("Enter")
        page.wait_for_function("s => document.querySelector(s).textContent === 'a'", arg=first)
        self.quiet(page)

    def test_the_librarys_own_words_are_completed(self) -> None:
        page = self.opened(self.written("completed", LOAD, 'val trials = published<Burst>("threads-2026-11")', "trials.threadCh"))
        page.click(".jp-Notebook .jp-Cell >> nth=0")
        page.keyboard.press("Shift+Enter")
        page.keyboard.press("Shift+Enter")
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
        page.click(".jp-Cell >> nth=2 >> .cm-content")
        page.keyboard.press("End")
        offered = "() => document.querySelector('.jp-Completer')?.textContent.includes('threadChart') || document.body.textContent.includes('trials.threadChart')"
        # A question asked while the kernel is still busy is forgotten; a reader presses Tab once more.
        while not page.evaluate(offered):
            page.keyboard.press("Tab")
            page.wait_for_timeout(2_000)
        browsers.shot(page, "jupyterlab-completion")

    def test_a_mistake_is_answered_in_a_sentence_without_the_kernels_own_stack(self) -> None:
        mistakes = {
            'clients("ktor-coi")': "No client 'ktor-coi'",
            'Burst(clients("okhttp"), inFlight = listOf(0))': "0 requests in flight is impossible",
            'published("threads-1999-01")': "No data are published for threads under '1999-01'",
            "val n: Int = clients()": "mismatch",
            "listOf(1)[1]": "Index: 1, Size: 1",
        }
        name = self.written("mistakes", LOAD, *mistakes)
        page = self.opened(name)
        page.click(".jp-Notebook .jp-Cell >> nth=0")
        for _ in range(len(mistakes) + 1):
            page.keyboard.press("Shift+Enter")
            page.wait_for_timeout(200)
            page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status='idle']")
        for i, sentence in enumerate(mistakes.values(), 1):
            said = page.locator(".jp-Cell").nth(i).locator(".jp-OutputArea-output").all_inner_texts()
            text = "\n".join(said).strip()
            self.assertIn(sentence, text)
            self.assertNotIn("\tat ", text)
            self.assertNotIn("at org.jetbrains", text)
            self.assertLessEqual(len(text.splitlines()), 2, text)
        browsers.shot(page, "jupyterlab-mistakes")


if __name__ == "__main__":
    unittest.main()
