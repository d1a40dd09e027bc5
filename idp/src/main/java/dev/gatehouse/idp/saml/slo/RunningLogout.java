package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.idp.authn.IdpSession.Participant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A logout on its way: our sessions have ended, participants are being told.
 *
 * @param origin where the receipt page is shown, which alone may frame the answers
 * @param reason for the participants
 * @param sessionsEnd when our sessions would have ended at the latest
 * @param initiator the service provider or client that asked for it; empty where the person did, here
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

  /** How long the page can be asked for. */
  static final Duration LIFE = Duration.ofMinutes(10);

  /** How long participants have to answer, all at the same time. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** How long the page of a client may take to load: nothing says when it has. */
  static final Duration LOADING = Duration.ofSeconds(2);

  /** How long a result that is not perfect stays in view before it goes on by itself. */
  static final Duration READING = Duration.ofSeconds(10);

  /**
   * Who asked, and where the answer goes.
   *
   * @param answer empty where it offers no SingleLogoutService, or is a client
   * @param returnTo a client's post-logout redirect URI with its state (OpenID Connect RP-Initiated Logout 1.0, section 3)
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

    /** A service provider waits for an answer to its own message; a client is told like all others. */
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
   * How a partner can be told.
   *
   * @param front through the person's browser
   * @param back from server to server
   * @param backFirst whether that goes first, where there are both; else it follows when the browser brought no answer
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

  /** A participant to tell. */
  record Target(String partner, String name, NameId nameId, List<String> sessionIndexes, Ways ways) {

    boolean isClient() {
      return Participant.isClient(nameId);
    }

    /** Where a frame of the receipt page takes it; empty where there is none. */
    Optional<Destination> framed() {
      return ways.isBackFirst() ? Optional.empty() : ways.front();
    }
  }

  /** Whether it is the client that asked, and told from server to server. */
  boolean isAsker(Target target) {
    return target.isClient()
        && target.ways().isBackFirst()
        && initiator.filter(i -> i.returnTo().isPresent() && i.partner().equals(target.partner())).isPresent();
  }

  boolean isLate(Instant now) {
    return !now.isBefore(startedAt.plus(PATIENCE));
  }

  boolean isLoading(Instant now) {
    return now.isBefore(startedAt.plus(LOADING));
  }

  boolean isRead(Instant now) {
    return !now.isBefore(startedAt.plus(PATIENCE).plus(READING));
  }
}
