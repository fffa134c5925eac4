package clientlab.machine

import clientlab.testing.*
import io.kotest.matchers.shouldBe
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path

class MachineSettingsTest(
    @param:TempDir private val root: Path,
) {
    private val machine = MadeMachine(root)

    @Test
    fun `load, governors, clock and swap are read from their files`() {
        machine.write("proc/loadavg", "7.51 19.99 19.17 1/259 9751\n")
        machine.write("proc/meminfo", "MemTotal:  8000000 kB\nSwapTotal:       2048 kB\nSwapFree:        1024 kB\n")
        machine.write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")
        machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n")
        machine.write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n")
        machine.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n")
        machine.write("sys/devices/system/cpu/cpufreq/scaling_governor", "none of a processor's\n")
        MachineSettings.read(machine.files) shouldBe
            MachineSettings(7.51, listOf("performance", "powersave"), "tsc", swapBytes = 2048 * 1024, swapUsedBytes = 1024 * 1024)
    }

    @Test
    fun `what is not readable here is null, and no error`() {
        MachineSettings.read(machine.files) shouldBe MachineSettings()
        machine.write("proc/meminfo", "SwapTotal: 4 kB\n")
        MachineSettings.read(machine.files) shouldBe MachineSettings(swapBytes = 4096)
    }
}
