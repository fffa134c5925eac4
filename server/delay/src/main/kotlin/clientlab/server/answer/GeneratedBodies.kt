package clientlab.server.answer

import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter

/** The page of 100 links that the tasks of source 002 fetch; encoded once, because clients ask for thousands per second. */
internal val CRAWL_PAGE: ByteArray = buildString {
    append("<!DOCTYPE html>\n<html><head><title>100 links</title></head><body>\n")
    for (i in 1..100) {
        append("<a href=\"crawl/delay/")
            .append(i)
            .append("\">crawl/delay/")
            .append(i)
            .append("</a>\n")
    }
    append("</body></html>\n")
}.encodeToByteArray()

/** The time now, as the JSON that source 004 decodes: a zone, an ISO 8601 time in it, and the parts of both. */
internal fun dateTimeJson(now: Instant = Instant.now()): String {
    val utc = now.atOffset(ZoneOffset.UTC)
    val text = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(utc)
    val date = utc.toLocalDate()
    return """{"datetime":"$text","zone":"UTC","offsetSeconds":0,"date":"$date","dayOfWeek":"${utc.dayOfWeek}",""" +
        """"dayOfYear":${utc.dayOfYear},"epochMillis":${now.toEpochMilli()}}"""
}
