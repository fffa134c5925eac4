package clientlab

import clientlab.burst.*
import clientlab.client.*
import clientlab.openloop.*
import clientlab.testing.*
import clientlab.workloads.*
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

class ExperimentTest {
    private val one = info("one")
    private val two = info("two", limit = 64)
    private val burst = Burst(listOf(one, two), inFlight = listOf(100, 500), delay = 2.seconds)
    private val experiment = Experiment("threads", burst, forks = 3, seed = 7)

    @ParameterizedTest
    @ValueSource(strings = ["", "Threads", "my threads", "-a", "a-", "a--b", "../up", "a/b", "täglich", "a\n"])
    fun `a name that cannot name a folder is refused with one that could`(name: String) {
        shouldThrow<LabException> { experiment.copy(name = name) }.message shouldBe
            "'$name' cannot name a folder: use lower-case letters, digits and dashes, as in \"my-threads\"."
    }

    @ParameterizedTest
    @ValueSource(ints = [0, -1, 1001])
    fun `a number of forks that cannot be is refused with the range`(forks: Int) {
        shouldThrow<LabException> { experiment.copy(forks = forks) }.message shouldBe "forks is $forks; an experiment has 1 to 1000."
    }

    @Test
    fun `the treatments are the full product in the order in which the levels are listed`() {
        val all = burst.copy(protocol = listOf(Protocol.Http1, Protocol.H2c), start = listOf(Start.Cold, Start.Warm))
        Experiment("threads", all).treatments.map { it.key } shouldContainExactly
            listOf("one", "two").flatMap { client ->
                listOf("http/1.1", "h2c").flatMap { protocol ->
                    listOf(100, 500).flatMap { n ->
                        listOf("cold", "warm").map { "client=$client;protocol=$protocol;inFlight=$n;delayMs=2000;start=$it" }
                    }
                }
            }
    }

    @Test
    fun `a treatment that is measured twice has an alias the second time, and the others are as they were`() {
        val noisy = experiment.copy(twice = 2)
        noisy.treatments.take(4) shouldBe experiment.treatments
        noisy.treatments.drop(4).map { it[Factor.ALIAS] } shouldContainExactly listOf("again", "again")
        noisy.treatments.drop(4).map { it.without(Factor.ALIAS) } shouldContainExactly
            listOf(experiment.treatments[1], experiment.treatments[3])
        experiment.copy(twice = 4).treatments.drop(4).map { it.without(Factor.ALIAS) } shouldBe experiment.treatments
    }

    @ParameterizedTest
    @ValueSource(ints = [-1, 5])
    fun `no more treatments can be measured twice than there are`(twice: Int) {
        shouldThrow<LabException> { experiment.copy(twice = twice) }.message shouldBe
            "twice is $twice, and the experiment has 4 treatments: ask for 0 to 4."
        shouldThrow<LabException> { experiment.aa().copy(twice = 1) }.message shouldContain "All treatments have two names already"
    }

    @Test
    fun `a duet is of two treatments whose load is planned`() {
        val planned = Experiment("duet", OpenLoop(listOf(one, info("two")), rate = listOf(100)), duet = true)
        planned.duet shouldBe true
        planned.only("one").duet shouldBe false
        shouldThrow<LabException> { planned.copy(twice = 1) }.message shouldBe
            "A duet is of two treatments, and the experiment has 3: leave out all but two, or leave out duet = true."
        shouldThrow<LabException> { planned.copy(workload = planned.workload.copy(loop = listOf(Loop.Closed))) }.message shouldBe
            "Two loads at once take each other's processors unless both are planned: give an OpenLoop, or leave out duet = true."
        Burst(listOf(one)).paced shouldBe false
    }

    @Test
    fun `two Javas are a factor of every treatment, and one or none is not`() {
        val (old, new) = listOf("21.0.9", "25.0.3").map { Jdk(it, "Made") }
        experiment.copy(java = listOf(new)).treatments shouldBe experiment.treatments
        val on = experiment.copy(java = listOf(old, new))
        on.treatments.map { it.key }.take(2) shouldContainExactly
            listOf("21.0.9 Made", "25.0.3 Made").map { "client=one;protocol=http/1.1;inFlight=100;delayMs=2000;start=warm;java=$it" }
        on.treatments.map(on::javaOf).take(2) shouldBe listOf(old, new)
        experiment.treatments.map(experiment::javaOf).distinct() shouldBe listOf(null)
        on.aa().treatments.size shouldBe 2 * on.treatments.size
        (old.feature to new.feature) shouldBe (21 to 25)
        shouldThrow<LabException> { experiment.copy(java = listOf(old, old)) }.message shouldBe
            "Java 21.0.9 Made stands in the experiment more than once."
    }

    @Test
    fun `a client of the reader's own joins the others, and takes the place of an earlier one of its name`() {
        val first = blockingClient("My Own") { 200 }
        val again = blockingClient("My Own") { 204 }
        val asked = experiment.with(first).with(again)
        asked.workload.clients.map { it.id } shouldContainExactly listOf("one", "two", "my-own")
        asked.own shouldContainExactly listOf(again)
        experiment.own shouldBe emptyList()
    }

    @Test
    fun `only keeps the clients named, in the order of the experiment, and the code of its own ones`() {
        val own = blockingClient("mine") { 200 }
        val asked = experiment.with(own)
        asked.only("mine", "one").workload.clients.map { it.id } shouldContainExactly listOf("one", "mine")
        asked.only("mine").own shouldContainExactly listOf(own)
        asked.only("two").own shouldBe emptyList()
    }

    @Test
    fun `only refuses a client that the experiment has not, and lists those that it has`() {
        shouldThrow<LabException> { experiment.only("one", "three") }.message shouldBe
            "The experiment threads has no client 'three'; it has one, two."
    }

    @Test
    fun `a disturbed trial is repeated ten times at most`() {
        shouldThrow<LabException> { experiment.copy(repeats = 11) }.message shouldBe
            "repeats is 11; a disturbed trial is measured again 0 to 10 times."
    }

    @Test
    fun `a smoke run has one fork, a shorter delay and no level twice`() {
        val smoke = experiment.copy(workload = burst.copy(inFlight = listOf(10, 1000, 5000), delay = 10.seconds)).smoke()
        smoke.forks shouldBe 1
        smoke.workload shouldBe burst.copy(inFlight = listOf(10, 500), delay = 800.milliseconds)
        experiment.copy(workload = burst.copy(delay = 10.milliseconds)).smoke().workload shouldBe burst.copy(delay = 10.milliseconds)
    }

    @Test
    fun `an A A experiment asks each of its treatments under two names, and is a run of its own`() {
        val aa = experiment.aa()
        aa.name shouldBe "threads-aa"
        aa.treatments.size shouldBe 2 * experiment.treatments.size
        aa.treatments.map { it.without(Factor.ALIAS) }.distinct() shouldContainExactly experiment.treatments
        aa.treatments.take(2).map { it[Factor.ALIAS] } shouldContainExactly listOf("A", "A again")
        aa.treatments.first().key shouldBe experiment.treatments.first().key + ";alias=A"
        aa.workload shouldBe experiment.workload
        aa.aa() shouldBe aa
        experiment.copy(name = "aa").aa().name shouldBe "aa"
        aa.smoke().treatments.map { it[Factor.ALIAS] }.distinct() shouldContainExactly listOf("A", "A again")
        aa.only("one").treatments.map { it.client }.distinct() shouldContainExactly listOf("one")
    }

    @Test
    fun `names that cannot be told apart are refused`() {
        listOf(listOf("A"), listOf("A", "A"), listOf("A", " ")).forEach { names ->
            shouldThrow<LabException> { experiment.copy(aliases = names) }.message shouldBe
                "The aliases $names cannot be told apart: give none, or two names that differ, as aa() does."
        }
    }

    @Test
    fun `what a treatment takes and needs is the same under both names`() {
        val (once, again) = experiment.aa().treatments
        burst.expected(once) shouldBe burst.expected(again)
        burst.expected(once) shouldBe burst.expected(experiment.treatments.first())
        burst.client(again) shouldBe one
    }

    @Test
    fun `an A A experiment is read back with its names, and another one does not mention any`() {
        ExperimentJson.decodeFromString<Experiment<Workload>>(ExperimentJson.encodeToString<Experiment<Workload>>(experiment.aa())) shouldBe
            experiment.aa()
        ExperimentJson.encodeToString<Experiment<Workload>>(experiment) shouldNotContain "aliases"
    }

    @Test
    fun `an experiment is read back from its JSON as it was`() {
        ExperimentJson.decodeFromString<Experiment<Workload>>(ExperimentJson.encodeToString<Experiment<Workload>>(experiment)) shouldBe
            experiment
    }

    @Test
    fun `an impossible experiment in a manifest is refused as well`() {
        val text = ExperimentJson.encodeToString<Experiment<Workload>>(experiment).replace("\"inFlight\":[100,500]", "\"inFlight\":[0]")
        shouldThrow<LabException> { ExperimentJson.decodeFromString<Experiment<Workload>>(text) }.message shouldContain
            "0 requests in flight is impossible"
    }

    @ParameterizedTest
    @ValueSource(ints = [0, -1])
    fun `a level that sends nothing is refused`(n: Int) {
        shouldThrow<LabException> { burst.copy(inFlight = listOf(100, n)) }.message shouldBe
            "$n requests in flight is impossible: a burst sends at least 1."
    }

    @Test
    fun `a delay below nothing or over a minute is refused, and the ends are not`() {
        listOf((-1).milliseconds, 1.minutes + 1.milliseconds).forEach { delay ->
            shouldThrow<LabException> { burst.copy(delay = delay) }.message shouldBe
                "A delay of $delay is impossible: the server waits between 0 s and 1m."
        }
        burst.copy(delay = 0.seconds).delay shouldBe 0.seconds
        burst.copy(delay = 1.minutes).delay shouldBe 1.minutes
    }

    @Test
    fun `a burst without clients, or without a level of a factor, is refused`() {
        shouldThrow<LabException> { Burst(emptyList()) }.message shouldContain "A burst needs a client, as in"
        mapOf<String, () -> Burst>(
            "inFlight" to { burst.copy(inFlight = emptyList()) },
            "protocol" to { burst.copy(protocol = emptyList()) },
            "start" to { burst.copy(start = emptyList()) },
        ).forEach { (factor, impossible) ->
            shouldThrow<LabException> { impossible() }.message shouldBe "The factor $factor of Burst needs at least one level."
        }
    }

    @Test
    fun `a level that stands twice is refused by its factor`() {
        shouldThrow<LabException> { burst.copy(inFlight = listOf(5, 6, 5)) }.message shouldBe
            "The level 5 of inFlight stands in Burst more than once: name it once."
        shouldThrow<LabException> { burst.copy(clients = listOf(one, info("one", limit = 3))) }.message shouldBe
            "The level one of client stands in Burst more than once: name it once."
        shouldThrow<LabException> { burst.copy(start = listOf(Start.Warm, Start.Warm)) }.message shouldContain "of start stands"
        shouldThrow<LabException> { burst.copy(protocol = listOf(Protocol.H2c, Protocol.H2c)) }.message shouldContain
            "h2c of protocol stands"
    }

    @Test
    fun `what a limited client takes is as many delays as it needs waves`() {
        val (small, large) = burst.only("two").treatments
        burst.expected(large) - burst.expected(small) shouldBe 2.seconds * (8 - 2)
        val (opened, _) = burst.only("one").treatments
        burst.expected(small) - burst.expected(opened) shouldBe 2.seconds
    }

    @Test
    fun `options of the trial JVM take the level of the treatment`() {
        val own = one.copy(jvmArgs = listOf("-Dparallelism={inFlight}", "-Dplain"))
        val asked = burst.copy(clients = listOf(own))
        asked.treatments.map(asked::jvmArgs) shouldContainExactly
            listOf(listOf("-Dparallelism=100", "-Dplain"), listOf("-Dparallelism=500", "-Dplain"))
        asked.mostConnections shouldBe 500
    }

    private fun Burst.only(id: String) = withClients(clients.filter { it.id == id })
}
