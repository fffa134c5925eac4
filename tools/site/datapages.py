"""A page a published run, and the table of all of them."""

from pathlib import Path

from articles import Article
from claims import Ledger
from published import Run
from words import escape, number, raw, size, table

JOURNAL = "the journal itself, with curves and what the server saw"
KINDS = {
    "trials.csv": "every trial and its warm-up, a row each: factors and metrics are columns",
    "trials.arrow": "the same as an Arrow file, numbers as numbers",
    "threads.csv": "the new threads of each trial, by owner and by what they did",
    "threads.arrow": "the same as an Arrow file",
    "trials.jsonl": JOURNAL,
    "trials.jsonl.gz": f"{JOURNAL}, compressed by gzip",
    "machine.jsonl": "what went on on the machine meanwhile, trial by trial",
    "manifest.json": "the experiment, its seed, versions, hashes, machine and commit",
}


def index(runs: list[Run], shapes: dict[str, dict[str, dict[str, int]]], files: Path) -> str:
    """The table of all runs, as MyST."""
    rows = [
        [
            f'<a href="{run.name}.html">{run.name}</a>',
            escape(run.manifest["experiment"]["workload"]["type"]),
            str(len(run.trials)),
            str(shapes[run.name]["trials"]["columns"]),
            escape(run.manifest["startedAt"][:10]),
            f'<a href="{run.name}/trials.csv" download aria-label="{run.name} as CSV">CSV</a>'
            f' <a href="{run.name}/trials.arrow" download aria-label="{run.name} as Arrow">Arrow</a>',
        ]
        for run in runs
    ]
    total = sum(len(run.trials) for run in runs)
    text = (
        f"{len(runs)} runs with {total:,} trials stand behind the articles. A trial is a fresh JVM; what its numbers mean is in "
        "[the dictionary](dictionary.md), and a run's own page says where and how it was made.\n\n"
    )
    return f"# The data\n\n{text}" + raw(table(["run", "workload", "trials", "columns", "made on", "download"], rows, "Published runs", right=(2, 3)))


def page(run: Run, shapes: dict[str, dict[str, int]], files: Path, ledger: Ledger, articles: list[Article]) -> str:
    """The page of one run, as MyST: what it is, its files, what rests on it, and its trials."""
    manifest, machine = run.manifest, run.manifest["machine"]
    facts = [
        ("Run", f"<code>{run.id}</code>, {escape(manifest['startedAt'][:16].replace('T', ' '))} UTC"),
        ("Experiment", f"{escape(manifest['experiment']['name'])}, workload {escape(manifest['experiment']['workload']['type'])}"),
        ("Trials", f"{len(run.trials)}, of {len({str(sorted(trial['treatment'].items())) for trial in run.trials})} treatments"),
        ("Varied", escape(", ".join(run.varied)) or "nothing"),
        ("Machine", escape(f"{machine['cpu']}, {machine['cores']} cores, {machine['memoryBytes'] / 2**30:.0f} GiB, {machine['os'].split()[0]}")),
        ("Java", escape(str(machine.get("java", "")))),
        ("Commit", f"<code>{escape(str(manifest.get('commit', ''))[:7])}</code>{', with changes' if manifest.get('dirty') else ''}"),
    ]
    notes = [escape(note) for note in manifest.get("notes", [])]
    downloads = [
        [f'<a href="{run.name}/{file}" download>{file}</a>', _shape(shapes, file), size((files / run.name / file).stat().st_size), words]
        for file, words in KINDS.items()
        if (files / run.name / file).is_file()
    ]
    pieces = [f'<dl class="lab-facts">{"".join(f"<div><dt>{term}</dt><dd>{words}</dd></div>" for term, words in facts if words)}</dl>']
    pieces += [f"<ul>{''.join(f'<li>{note}</li>' for note in notes)}</ul>"] if notes else []
    pieces += ["<h2>Download</h2>", table(["file", "rows × columns", "size", "what it holds"], downloads, f"Files of {run.name}")]
    resting = [claim for claim in ledger.claims if run.name in claim["evidence"]]
    shown = [article for article in articles if any(run.id in figure.runs for figure in article.figures)]
    if resting or shown:
        claims = [f'<li><a href="../claims/{claim["id"]}.html">{claim["id"]}</a>: {escape(claim["words"])}</li>' for claim in resting]
        drawn = [f'<li>Drawn in <a href="../notebooks/{article.name}.html">{escape(article.title)}</a></li>' for article in shown]
        pieces.append(f"<h2>What rests on it</h2>\n<ul>{''.join(drawn + claims)}</ul>")
    pieces += ["<h2>Its trials</h2>", _trials(run)]
    return f"---\norphan: true\n---\n\n# {run.name}\n\n" + raw("\n".join(pieces))


def _shape(shapes: dict[str, dict[str, int]], file: str) -> str:
    shape = shapes.get(file.split(".")[0]) if file.endswith((".csv", ".arrow")) else None
    return f"{shape['rows']:,} × {shape['columns']}" if shape else ""


def _trials(run: Run) -> str:
    header = ["trial", "round", *map(escape, run.varied), "outcome", *map(escape, run.shown)]
    rows = [
        [
            str(trial["trial"]),
            str(trial["round"]),
            *(escape(trial["treatment"].get(name, "")) for name in run.varied),
            _outcome(trial),
            *(number(trial["metrics"].get(name)) for name in run.shown),
        ]
        for trial in run.trials
    ]
    metrics = tuple(range(len(header) - len(run.shown), len(header)))
    return table(header, rows, f"Trials of {run.name}", right=(0, 1, *metrics), ids=[f"trial-{trial['trial']}" for trial in run.trials])


def _outcome(trial: dict) -> str:
    why = [*trial["reasons"], *trial["warnings"]]
    outcome = escape(trial["outcome"])
    return f"<details><summary>{outcome}, why</summary>{escape(' '.join(why))}</details>" if why else outcome
