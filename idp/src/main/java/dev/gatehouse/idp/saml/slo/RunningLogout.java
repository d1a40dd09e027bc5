package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.idp.session.IdpSession.Participant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A running logout: our sessions have ended, and participants are being notified.
 *
 * @param origin the origin of the receipt page; only this origin may frame the answers
 * @param reason for the participants
 * @param sessionsEnd the latest time at which our sessions would have ended
 * @param initiator the service provider or client that requested the logout; empty if the person logged out here
 */
record RunningLogout(
    String realm,
    PersonId person,
    String origin,
    Instant startedAt,
    LogoutReason reason,
    Instant sessionsEnd,
    Optional<Initiator> initiator,
    List<Target> targets) {

  /** The time for which the page is available. */
  static final Duration LIFE = Duration.ofMinutes(10);

  /** The time that participants have to answer, all in parallel. */
  static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  /** The time that a client's page gets to load: nothing signals that it has loaded. */
  static final Duration LOADING = Duration.ofSeconds(2);

  /** The time for which an incomplete result remains visible before the page continues by itself. */
  static final Duration RESULT_SHOWN = Duration.ofSeconds(10);

  /**
   * The initiator of the logout, and the destination of the answer.
   *
   * @param answer empty if it offers no SingleLogoutService, or is a client
   * @param returnTo a client's post-logout redirect URI with its state (OpenID Connect RP-Initiated Logout 1.0, section
   *     3)
   */
  record Initiator(
      String partner,
      String requestId,
      Optional<String> relayState,
      Optional<Destination> answer,
      Optional<String> returnTo) {

    static Initiator client(String clientId, String returnTo) {
      return new Initiator(clientId, "", Optional.empty(), Optional.empty(), Optional.of(returnTo));
    }

    /**
     * The partner that needs no notification. A service provider waits for the answer to its own message; a client is
     * notified like all others.
     */
    Optional<String> knowsAlready() {
      return returnTo.isPresent() ? Optional.empty() : Optional.of(partner);
    }

    boolean isWaiting() {
      return answer.isPresent() || returnTo.isPresent();
    }
  }

  /** An address of a partner. */
  record Destination(Binding binding, String location) {}

  /**
   * The ways to notify a partner.
   *
   * @param front through the person's browser
   * @param back from server to server
   * @param backFirst whether the back channel goes first if there are both; otherwise it follows if the browser brought
   *     no answer
   */
  record Ways(Optional<Destination> front, boolean back, boolean backFirst) {

    boolean isBackFirst() {
      return back && (backFirst || front.isEmpty());
    }

    boolean isNone() {
      return front.isEmpty() && !back;
    }

    Ways withoutBrowser() {
      return new Ways(Optional.empty(), back, back);
    }
  }

  /** A participant to notify. */
  record Target(String partner, String name, NameId nameId, List<String> sessionIndexes, Ways ways) {

    boolean isClient() {
      return Participant.isClient(nameId);
    }

    /** The destination that a frame of the receipt page loads; empty if there is none. */
    Optional<Destination> framed() {
      return ways.isBackFirst() ? Optional.empty() : ways.front();
    }

    Target withoutBrowser() {
      return new Target(partner, name, nameId, sessionIndexes, ways.withoutBrowser());
    }
  }

  /** Returns the logout as one of which servers alone notify the participants. */
  RunningLogout withoutBrowser() {
    return new RunningLogout(
        realm, person, origin, startedAt, reason, sessionsEnd, initiator, targets.stream().map(Target::withoutBrowser).toList());
  }

  /** Returns whether the target is the client that initiated the logout and is notified from server to server. */
  boolean isInitiator(Target target) {
    return target.isClient()
        && target.ways().isBackFirst()
        && initiator.filter(i -> i.returnTo().isPresent() && i.partner().equals(target.partner())).isPresent();
  }

  boolean isLate(Instant now) {
    return !now.isBefore(startedAt.plus(ANSWER_TIMEOUT));
  }

  boolean isLoading(Instant now) {
    return now.isBefore(startedAt.plus(LOADING));
  }

  boolean isRead(Instant now) {
    return !now.isBefore(startedAt.plus(ANSWER_TIMEOUT).plus(RESULT_SHOWN));
  }
}
