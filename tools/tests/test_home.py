"""Home names clients by hand. What it says of each is held against what the published runs saw."""

import re
import unittest
from collections import defaultdict
from statistics import median

from lab.base import places
from tests import site_modules

NAMES = {
    "OkHttp": "okhttp",
    "Retrofit": "retrofit",
    "java.net.http": "jdk",
    "Ktor Java": "ktor-java",
    "Ktor CIO": "ktor-cio",
    "Ktor Apache5": "ktor-apache5",
    "Ktor's Java engine": "ktor-java",
    "Apache5": "ktor-apache5",
    "Apache's own client": "apache5-async",
    "Vert.x": "vertx",
    "AsyncHttpClient": "async-http-client",
    "RestClient": "spring-restclient",
    "WebClient": "spring-webclient",
    "Fuel": "fuel",
    "HttpURLConnection": "urlconnection",
    "Helidon": "helidon",
    "Armeria": "armeria",
    "Jetty": "jetty",
}
LAST_FIRST = ("Apache's own client", "ktor-apache", "Ktor Apache5", "RestClient", "Fuel", "AsyncHttpClient", "Armeria", "HttpURLConnection", "netty-alone")
KTOR = ("ktor-apache", "ktor-apache5", "ktor-cio", "ktor-java", "ktor-okhttp")

# A symptom on home (two of them are joined by " + "), the situation in which it was seen, what the fact looks like, the clients that home names, and whether no other has that
# fact; words that stand for several clients, such as "Ktor's engines", are given with them.
ONLY, AMONG = True, False
SAYS = [
    ("An upload hangs", "timeouts.upload", r" in time$", ["OkHttp", "Retrofit", "java.net.http"], AMONG),
    ("An upload hangs", "timeouts.upload", r"^waits on", ["RestClient", "WebClient", "Fuel", "HttpURLConnection"], AMONG),
    ("A call is cancelled + You cancel as you should", "cancellation.waiting", r"stays open", ["java.net.http", "Ktor Java", "Vert.x", "AsyncHttpClient"], ONLY),
    ("<code>await()</code> is cancelled", "cancellation.waiting", r"^the caller is free at once, the connection is closed", ["Retrofit"], AMONG),
    ("You cancel as you should", "cancellation.waiting", r"^the caller waits on", ["Fuel", "RestClient", "Helidon", "HttpURLConnection"], AMONG),
    ("A download is cancelled", "cancellation.reading", r"stays open", ["java.net.http", "Vert.x", "AsyncHttpClient", "ktor-apache", "Fuel", "Helidon", "HttpURLConnection"], ONLY),
    ("A download is cancelled", "cancellation.reading", r"^the caller waits on, the connection stays", ["Fuel", "Helidon", "HttpURLConnection"], ONLY),
    ("A call fails after a pause", "idle.closed-on-get", r"^sends it again", ["OkHttp", "java.net.http", "RestClient", "Fuel", "AsyncHttpClient"], AMONG),
    ("A call fails after a pause", "idle.closed-on-get", r"^sends it once", ["WebClient", "Apache's own client", "Jetty", "Vert.x"], AMONG),
    ("The program does not end", "closing.main", r"does not end", ["OkHttp", "Retrofit", "ktor-okhttp", "AsyncHttpClient", "Jetty", "Vert.x"], ONLY),
    ("<code>runBlocking</code>", "threads.nested", r"^none is answered", ["Fuel", *KTOR], ONLY),
    ("A POST arrives twice", "idle.closed-on-post", r"^sends it again", ["OkHttp", "Retrofit"], ONLY),
    ("A POST arrives twice", "retries.408-post", r"^sends it twice", ["OkHttp", "Retrofit"], ONLY),
    ("“Too many concurrent streams”", "http2.max-streams", r"^some requests fail", ["java.net.http", "Ktor Java", "AsyncHttpClient"], ONLY),
    ("“Too many concurrent streams”", "http2.max-streams", r"^opens more connections", ["OkHttp", "Apache5", "Jetty"], AMONG),
    ("A server says GOAWAY", "http2.goaway-under-way", r"^sends the second request again", ["OkHttp", "Retrofit", "java.net.http", "ktor-java", "ktor-okhttp"], ONLY),
    ("A server has two addresses", "names.dead", r"^tries the next", ["OkHttp", "Retrofit", "RestClient", "AsyncHttpClient", "Apache's own client", "ktor-okhttp"], ONLY),
    ("A name has several addresses", "names.spread", r"^not testable", ["Armeria", "WebClient", "Vert.x"], ONLY),
    ("“A connection was leaked", "connections.after-unread", r"^uses the connection again", ["OkHttp", "Retrofit", "WebClient", "RestClient"], AMONG),
    ("A connection over HTTP/1.1", "http2.half-open", r"the next one has a new connection", ["Ktor Apache5", "Helidon"], ONLY),
    ("One answer is read slowly", "http2.unread-stream", r"^the others wait", ["Armeria"], ONLY),
    ("OkHttp's pool prefers + Behind a balancer", "connections.slow-among", r"^sends all", [*LAST_FIRST, "okhttp@pool-of-five"], ONLY),
    ("Behind a balancer", "connections.slow-among", r"^sends some", ["WebClient", "java.net.http", "Ktor Java", "Helidon"], ONLY),
    ("Behind a balancer", "connections.slow-among", r"^opens a connection", ["Ktor CIO"], ONLY),
    ("Behind a balancer", "connections.slow-first", r"^sends all", [*LAST_FIRST, "okhttp@pool-of-five", "OkHttp", "Retrofit", "Jetty", "ktor-okhttp"], ONLY),
    ("Behind a balancer", "connections.slow-first", r"^sends none", ["Vert.x"], ONLY),
    ("An upload takes", "threads.unread-upload", r"^keeps a processor busy", ["Ktor CIO"], ONLY),
    ("Uploads take", "threads.uploads", r"no thread left$", ["Fuel"], ONLY),
    ("A client is closed, and its threads", "closing.churn", r"threads behind", ["Ktor's Java engine"], ONLY),
]

# Symptoms of which home says that every client does the same, and what the fact looks like.
ALIKE = [
    ("Calls deadlock on one processor", "threads.one-processor", r"^all are answered"),
    ("A connect is refused", "retries.refused", r"^fails"),
    ("A name has several addresses", "names.spread", r"^uses one of the addresses"),
]

# What is not said of a client: a setting's name, a caller's mistake, or a number that a claim of the ledger holds.
OTHERWISE = (
    "A call never returns", "An answer trickles in", "A time-out comes late", "A call is given up after",
    "A name has a new address", "Why 64 and 5?", "OkHttp sends more calls", "Calls wait for a place", "One slow host", "Thousands of calls",
    "Each call opens", "Only 5 streams", "Streams are open", "A stream of events", "The first client", "One call in a hundred", "After an overload", "A large text", "Is Ktor slower", "Is HTTP/3 worth", "Calls hang after",
    "Threads or memory", "RestClient makes", "Virtual threads are pinned", "A large answer", "A new client for each request", "A client is closed while", "Is a coroutine cheaper",
)  # fmt: skip

# A number on home: the symptom, how it stands there, the run, the metric, its divisor, and the treatment.
IDLE = ("streams-2026-11", "streamBytes", 1_000)
MEDIANS = [
    ("Is a coroutine cheaper", "{} kB with Retrofit on virtual threads", *IDLE, {"client": "retrofit-virtual", "feed": "idle"}),
    ("Is a coroutine cheaper", "{} kB with OkHttp on virtual threads", *IDLE, {"client": "okhttp-virtual", "feed": "idle"}),
    ("Is a coroutine cheaper", "{} kB with java.net.http", *IDLE, {"client": "jdk", "feed": "idle"}),
    ("Is a coroutine cheaper", "{} kB with Ktor CIO", *IDLE, {"client": "ktor-cio", "feed": "idle"}),
    ("Is a coroutine cheaper", "{} kB with OkHttp on platform threads", *IDLE, {"client": "okhttp", "feed": "idle"}),
    ("A new client for each request", "takes {} to ", "churn-2026-11", "cycleP50Ms", 1, {"client": "okhttp"}),
    ("A new client for each request", " to {} ms (", "churn-2026-11", "cycleP50Ms", 1, {"client": "spring-webclient"}),
]


class HomeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        text = (places.ROOT / "site" / "index.md").read_text(encoding="utf-8")
        cls.symptoms = dict(re.findall(r"<li><a [^>]*>(.*?)</a> <span>(.*?)</span></li>", text))

    def setUp(self) -> None:
        conduct, published = site_modules.imported(self, "conduct", "published")
        self.facts: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self.runs = published.all_runs(places.ROOT / "data" / "published")
        for cell in conduct.cells(self.runs):
            if cell.version == conduct.OWN:
                self.facts[cell.situation][cell.client] = cell.facts[0][0]

    def symptom(self, begins: str) -> str:
        return " ".join(self.one_symptom(each) for each in begins.split(" + "))

    def one_symptom(self, begins: str) -> str:
        found = [f"{title} {advice}" for title, advice in self.symptoms.items() if title.startswith(begins)]
        self.assertEqual(len(found), 1, f"home has {len(found)} symptoms that begin with {begins!r}")
        return found[0]

    def test_what_home_says_of_a_client_was_seen(self) -> None:
        for begins, situation, fact, names, only in SAYS:
            with self.subTest(symptom=begins, fact=fact):
                said = self.symptom(begins)
                self.assertEqual([name for name in names if name in NAMES and name not in said], [], "named here, and not on home")
                named = {NAMES.get(name, name) for name in names}
                seen = {client for client, each in self.facts[situation].items() if re.search(fact, each)}
                # On threads of another kind a client is the same client.
                families = {re.sub(r"-(virtual|blocking)$", "", client) for client in seen}
                self.assertEqual(named - families, set(), f"home says it of these, and the runs do not: {situation}")
                if only:
                    self.assertEqual(families - named, set(), f"the runs say it of these, too: {situation}")

    def test_a_number_on_home_is_the_median_of_its_run(self) -> None:
        for begins, words, run, metric, divisor, treatment in MEDIANS:
            with self.subTest(words=words, treatment=treatment):
                (trials,) = (each.trials for each in self.runs if each.name == run)
                values = [each["metrics"][metric] / divisor for each in trials if treatment.items() <= each["treatment"].items() and each["outcome"] in ("complete", "wave")]
                self.assertGreaterEqual(len(values), 8)
                self.assertIn(words.format(round(median(values))), self.symptom(begins))

    def test_what_home_says_of_every_client_was_seen_of_every_one(self) -> None:
        for begins, situation, fact in ALIKE:
            with self.subTest(symptom=begins):
                self.symptom(begins)
                asked = {client: each for client, each in self.facts[situation].items() if not each.startswith("not ")}
                self.assertNotEqual(asked, {})
                self.assertEqual({client: each for client, each in asked.items() if not re.search(fact, each)}, {})

    def test_every_symptom_is_held_to_runs_or_listed_as_one_that_says_nothing_of_a_client(self) -> None:
        held = {each for begins, *_ in (*SAYS, *ALIKE) for each in begins.split(" + ")}
        for title in self.symptoms:
            with self.subTest(symptom=title):
                self.assertEqual(sum(title.startswith(begins) for begins in (*held, *OTHERWISE)), 1)
