package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.NameId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A logout on its way: our sessions have ended, participants are being told.
 *
 * @param origin where the receipt page is shown, which alone may frame the answers
 * @param initiator the service provider that asked for it; empty where the person did, here
 */
record RunningLogout(
    String realm,
    PersonId person,
    String origin,
    Instant startedAt,
    Optional<Initiator> initiator,
    List<Target> targets) {

  /** How long participants have to answer, all at the same time. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How long a result that is not perfect stays in view before it goes on by itself. */
  static final Duration READING = Duration.ofSeconds(10);

  /** Who asked, and where the answer goes. @param binding and location: empty where it offers no SingleLogoutService */
  record Initiator(String partner, String requestId, Optional<String> relayState, Optional<Destination> answer) {}

  /** An address of a partner. */
  record Destination(Binding binding, String location) {}

  /** A participant to tell. @param destination empty where it cannot be told */
  record Target(
      String partner, String name, NameId nameId, List<String> sessionIndexes, Optional<Destination> destination) {}

  boolean isLate(Instant now) {
    return !now.isBefore(startedAt.plus(PATIENCE));
  }

  boolean isRead(Instant now) {
    return !now.isBefore(startedAt.plus(PATIENCE).plus(READING));
  }
}
