package dev.gatehouse.common.mail;

/** Takes mail for delivery. */
@FunctionalInterface
interface MailServer {

  /** The result of a try. */
  sealed interface Outcome {
    record Taken() implements Outcome {}

    /** The server will never take this mail (a reply of 500 to 599, RFC 5321, section 4.2.1). */
    record Refused(String reason) implements Outcome {}

    /** The server may take it later. */
    record Deferred(String reason) implements Outcome {}

    /** There is no server that takes anything now. */
    record Unreachable(String reason) implements Outcome {}
  }

  /** Blocks for a minute at most. */
  Outcome send(Mail mail);
}
