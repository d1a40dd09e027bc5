package dev.gatehouse.perf.audit;

import dev.gatehouse.common.audit.search.AuditTerm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * What an administrator asks.
 *
 * @param terms by the number of the try: others each time
 */
record Question(String text, Duration range, LongFunction<Map<AuditTerm, String>> terms) {

  private static final String WRONG = "WRONG_PASSWORD";

  /** Returns the usual ones, and some that find little among much. */
  static List<Question> usual(int events, int days) {
    Duration day = Duration.ofDays(1);
    return List.of(
        new Question("the newest", day, n -> Map.of()),
        new Question("a person, a day", day, n -> Map.of(AuditTerm.PERSON, GeneratedEvents.person(n))),
        always(days, "a person", n -> Map.of(AuditTerm.PERSON, GeneratedEvents.person(n))),
        always(days, "a partner", n -> Map.of(AuditTerm.PARTNER, GeneratedEvents.partner(n))),
        always(days, "a client", n -> Map.of(AuditTerm.CLIENT, GeneratedEvents.client(n))),
        always(days, "a request id", n -> Map.of(AuditTerm.REQUEST_ID, GeneratedEvents.reference(n * 1009 % events))),
        always(days, "an address", n -> Map.of(AuditTerm.ADDRESS, GeneratedEvents.address(n))),
        always(days, "a reason", n -> Map.of(AuditTerm.REASON, "THROTTLED")),
        always(days, "a reason of a person", n -> Map.of(AuditTerm.REASON, WRONG, AuditTerm.PERSON, GeneratedEvents.person(n))),
        always(days, "a reason from an address", n -> Map.of(AuditTerm.REASON, WRONG, AuditTerm.ADDRESS, GeneratedEvents.address(n))),
        always(days, "an event in a realm", n -> Map.of(AuditTerm.EVENT, "LoginRefused", AuditTerm.REALM, "staff")),
        always(days, "a partner in a realm", n -> Map.of(AuditTerm.PARTNER, GeneratedEvents.partner(n), AuditTerm.REALM, "partners")),
        always(days, "a person at a partner", GeneratedEvents::personAtPartner),
        always(days, "a reason in a realm that does not exist", n -> Map.of(AuditTerm.REASON, "THROTTLED", AuditTerm.REALM, "none")),
        always(days, "two that never meet", n -> Map.of(AuditTerm.EVENT, "SessionEnded", AuditTerm.REASON, WRONG)),
        always(days, "a person who does not exist", n -> Map.of(AuditTerm.PERSON, "nobody" + n)));
  }

  private static Question always(int days, String text, LongFunction<Map<AuditTerm, String>> terms) {
    return new Question(text + ", all days", Duration.ofDays(days), terms);
  }
}
