package dev.gatehouse.common.http;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** The exchange of the current thread, for the parts of HttpClient that receive only the host. */
final class CurrentExchange {

  /** The step that an exchange is in, for the message when its time is over. */
  enum Phase {
    WAITING("waiting for one of the connections allowed to this destination and to its domain"),
    NAME_LOOKUP("looking up the name"),
    CONNECT("connecting"),
    TLS("in the TLS handshake"),
    RESPONSE("waiting for the response");

    private final String text;

    Phase(String text) {
      this.text = text;
    }
  }

  static final ScopedValue<CurrentExchange> CURRENT = ScopedValue.newInstance();

  private final Origin origin;
  private final OutboundRequest outgoing;
  private volatile Phase phase = Phase.WAITING;
  private volatile Optional<String> date = Optional.empty();

  CurrentExchange(Origin origin, OutboundRequest outgoing) {
    this.origin = origin;
    this.outgoing = outgoing;
  }

  Origin origin() {
    return origin;
  }

  OutboundRequest outgoing() {
    return outgoing;
  }

  void enter(Phase next) {
    phase = next;
  }

  /** Keeps the Date field of the response. */
  void dated(Optional<String> field) {
    date = field;
  }

  /** Returns the time that the server said (RFC 9110, section 6.6.1); empty if it said none, or one that cannot be read. */
  Optional<Instant> date() {
    try {
      return date.map(text -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  boolean isLate() {
    return outgoing.millisLeft() <= 0;
  }

  String tooLate() {
    return "no complete answer within " + outgoing.total().toMillis() + " ms, " + phase.text;
  }
}
