package dev.gatehouse.common.audit.syslog;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Formats events as messages of syslog (RFC 5424, section 6) with their length before them (RFC 5425, section 4.3). The message is the
 * line of the audit log, so that a receiver can verify the chain.
 */
final class SyslogMessage {

  /** Facility 13, "log audit" (RFC 5424, section 6.2.1). */
  private static final int FACILITY = 13;

  private static final int NOTICE = 5;
  private static final int INFORMATIONAL = 6;

  /** The place of the time in {@code {"time":"2026-01-01T12:00:00.000Z","event":"LoginRefused",...}}. */
  private static final int TIME_AT = 9;

  private static final int TIME_END = 33;
  private static final int EVENT_AT = TIME_END + "\",\"event\":\"".length();
  private static final int LONGEST_ID = 32;

  private final String host;
  private final Set<String> leftOut;

  /**
   * @param host the name of this machine
   * @param leftOut names of events without a message
   */
  SyslogMessage(String host, Set<String> leftOut) {
    this.leftOut = leftOut;
    this.host = host.isEmpty() || !host.chars().allMatch(c -> c > ' ' && c < 127) ? "-" : host.substring(0, Math.min(host.length(), 255));
  }

  /** Adds a message, unless the event is left out. */
  void append(byte[] line, ByteArrayOutputStream to) {
    String json = new String(line, StandardCharsets.US_ASCII).stripTrailing();
    int end = json.indexOf('"', EVENT_AT);
    boolean isOurs = json.startsWith("{\"time\":\"") && end > EVENT_AT && json.startsWith("\",\"event\":\"", TIME_END);
    String time = isOurs ? json.substring(TIME_AT, TIME_END) : "-";
    String event = isOurs ? json.substring(EVENT_AT, Math.min(end, EVENT_AT + LONGEST_ID)) : "-";
    if (leftOut.contains(event)) {
      return;
    }
    int severity = json.contains("\"reason\":\"") ? NOTICE : INFORMATIONAL;
    String message = "<" + (FACILITY * 8 + severity) + ">1 " + time + " " + host + " gatehouse - " + event + " - " + json;
    to.writeBytes((message.length() + " " + message).getBytes(StandardCharsets.US_ASCII));
  }
}
