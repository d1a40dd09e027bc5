package dev.gatehouse.perf.audit;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.search.AuditTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Events as a year of logins makes them: a login and what it causes, of 100,000 people at 1,000 partners and 200 clients from 50,000
 * addresses, each with the id of its request; one login in ten is refused. The same number always gives the same event.
 */
final class GeneratedEvents {

  static final int PEOPLE = 100_000;
  static final int PARTNERS = 1000;
  static final int CLIENTS = 200;
  static final int ADDRESSES = 50_000;

  private static final List<String> REASONS = List.of("WRONG_PASSWORD", "WRONG_PASSWORD", "WRONG_PASSWORD", "PERSON_UNKNOWN", "THROTTLED");

  private GeneratedEvents() {}

  static String person(long number) {
    return "u%07d".formatted(Math.floorMod(mixed(number), PEOPLE));
  }

  static String partner(long number) {
    return "https://partner" + Math.floorMod(mixed(number + 7), PARTNERS) + ".example.org";
  }

  static String client(long number) {
    return "client" + Math.floorMod(mixed(number + 13), CLIENTS);
  }

  static String address(long number) {
    int host = (int) Math.floorMod(mixed(number + 29), (long) ADDRESSES);
    return "10.1." + host / 256 + "." + host % 256;
  }

  /** Returns the terms of a person at the partner of one of their logins. */
  static Map<AuditTerm, String> personAtPartner(long login) {
    return Map.of(AuditTerm.PERSON, "id-" + person(login), AuditTerm.PARTNER, partner(login));
  }

  static String reference(long number) {
    return Long.toHexString(mixed(number + 101)) + "-" + number;
  }

  static AuditEvent event(long number) {
    long login = number / 4;
    String realm = login % 10 == 0 ? "partners" : "staff";
    Context context = new Context(realm, address(login), Optional.of(reference(number)));
    String id = "id-" + person(login);
    return switch ((int) (number % 4)) {
      case 0 ->
          login % 10 == 3
              ? new AuditEvent.LoginRefused(context, person(login), "password", REASONS.get((int) (login / 10 % REASONS.size())))
              : new AuditEvent.LoginSucceeded(context, id, person(login), "password", "session-" + login);
      case 1 -> new AuditEvent.AssertionIssued(context, id, partner(login), "_" + reference(number), "session-" + login);
      case 2 -> new AuditEvent.TokensIssued(context, client(login), "authorization_code", id, "token-" + number, "openid profile");
      default -> new AuditEvent.SessionEnded(context, "idp", "session-" + login, id, "logout");
    };
  }

  /** Returns the number with its bits mixed, as SplittableRandom does. */
  private static long mixed(long number) {
    long z = number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
