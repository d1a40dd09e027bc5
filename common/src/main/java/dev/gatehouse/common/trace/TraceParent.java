package dev.gatehouse.common.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The fields {@value #FIELD} and {@value #STATE_FIELD} (W3C Trace Context, section 3).
 *
 * @param text of the first field
 * @param state of the second one; empty without it
 */
record TraceParent(String text, String state) {

  static final String FIELD = "traceparent";
  static final String STATE_FIELD = "tracestate";

  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] UNSAMPLED =
      "00-00000000000000000000000000000000-0000000000000000-00".getBytes(StandardCharsets.ISO_8859_1);
  private static final int LONG_DIGITS = 16;
  private static final int LENGTH = 55;
  private static final int TRACE_ID = 3;
  private static final int PARENT_ID = 36;
  private static final int FLAGS = 53;
  private static final int LONGEST_STATE = 512;

  /** Reads what a trusted peer sent; empty if that is not exactly one valid field. */
  static Optional<TraceParent> of(List<String> parents, List<String> states) {
    if (parents.size() != 1) {
      return Optional.empty();
    }
    String sent = parents.getFirst();
    if (!isValid(sent)) {
      return Optional.empty();
    }
    String state = String.join(",", states);
    boolean usable = state.length() <= LONGEST_STATE && state.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    // Of a later version, only what version 00 has is known (section 4.3).
    return Optional.of(new TraceParent("00" + sent.substring(2, LENGTH), usable ? state : ""));
  }

  private static boolean isValid(String sent) {
    boolean hasForm =
        sent.length() >= LENGTH
            && isHex(sent, 0, 2) && sent.charAt(2) == '-'
            && isHex(sent, TRACE_ID, 35) && sent.charAt(35) == '-'
            && isHex(sent, PARENT_ID, 52) && sent.charAt(52) == '-'
            && isHex(sent, FLAGS, LENGTH);
    if (!hasForm || sent.startsWith("ff")) {
      return false;
    }
    boolean ends = sent.length() == LENGTH || !sent.startsWith("00") && sent.charAt(LENGTH) == '-';
    return ends && !isZero(sent, TRACE_ID, 35) && !isZero(sent, PARENT_ID, 52);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isZero(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != '0') {
        return false;
      }
    }
    return true;
  }

  /** Begins a trace that is not sampled: most requests do. */
  static TraceParent unsampled(RandomGenerator random) {
    byte[] text = UNSAMPLED.clone();
    digits(random.nextLong(), text, TRACE_ID);
    digits(random.nextLong() | 1, text, TRACE_ID + LONG_DIGITS);
    digits(random.nextLong() | 1, text, PARENT_ID);
    return new TraceParent(new String(text, StandardCharsets.ISO_8859_1), "");
  }

  private static void digits(long value, byte[] to, int from) {
    long rest = value;
    for (int i = from + LONG_DIGITS - 1; i >= from; i--) {
      to[i] = DIGITS[(int) rest & 15];
      rest >>>= 4;
    }
  }

  static String text(SpanContext span) {
    return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getTraceFlags().asHex();
  }

  boolean isSampled() {
    return (Character.digit(text.charAt(LENGTH - 1), 16) & 1) == 1;
  }

  String traceId() {
    return text.substring(TRACE_ID, 35);
  }

  SpanContext context() {
    return SpanContext.createFromRemoteParent(
        traceId(), text.substring(PARENT_ID, 52), isSampled() ? TraceFlags.getSampled() : TraceFlags.getDefault(),
        TraceState.getDefault());
  }
}
