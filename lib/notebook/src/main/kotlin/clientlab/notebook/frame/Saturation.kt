package clientlab.notebook.frame

import clientlab.Factor

/** Requests a second that were planned, or 0 where that is no factor of it. */
internal fun TreatmentTrials.rate(): Int = number(Factor.RATE)?.toInt() ?: 0

/** Whether as many requests a second were answered as were planned, but for one in twenty: what is slower than that is beyond saturation. */
internal fun TreatmentTrials.keepsUp(): Boolean = median("requestsPerSecond").value >= rate() * KEEPS_UP

private const val KEEPS_UP = 0.95
