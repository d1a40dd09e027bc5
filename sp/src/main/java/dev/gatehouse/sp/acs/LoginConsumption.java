package dev.gatehouse.sp.acs;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.check.ResponseExpectation;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.session.LogoutMarks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Ensures that a verified login opens one session only, and none after its identity provider has ended it. */
final class LoginConsumption {

  private final PendingRequests pendings;
  private final ReplayCheck replays;
  private final LogoutMarks logouts;
  private final InstantSource time;

  LoginConsumption(PendingRequests pendings, ReplayCheck replays, LogoutMarks logouts, InstantSource time) {
    this.pendings = pendings;
    this.replays = replays;
    this.logouts = logouts;
    this.time = time;
  }

  /** Checks whether the identity provider's session has ended meanwhile, by time or by a LogoutRequest. */
  Optional<SamlRefusal> ended(SpRealm realm, VerifiedAssertion assertion) {
    Optional<SamlRefusal> expired = expired(assertion);
    return expired.isPresent() ? expired : loggedOut(realm, assertion);
  }

  private Optional<SamlRefusal> expired(VerifiedAssertion assertion) {
    return assertion.sessionNotOnOrAfter().filter(this::isPast).isPresent()
        ? Optional.of(new SamlRefusal(Reason.SESSION_EXPIRED, "SessionNotOnOrAfter came while it waited"))
        : Optional.empty();
  }

  /**
   * Consumes the login, so that it cannot open another session.
   *
   * @return the reason why it cannot be consumed, for example because it was consumed before; empty on success
   */
  Optional<SamlRefusal> refusal(SpRealm realm, RecognisedLogin login) {
    VerifiedAssertion assertion = login.assertion();
    return ended(realm, assertion)
        .or(() -> login.pending().flatMap(this::answered))
        .or(
            () ->
                replays.mark(
                    realm.name(),
                    assertion.identityProvider(),
                    assertion.id(),
                    // A copy may have been saved until the last moment.
                    assertion.acceptableUntil().plus(SavedLogins.LIFE)));
  }

  private Optional<SamlRefusal> answered(PendingRequest pending) {
    return pendings.answer(pending)
        ? Optional.empty()
        : Optional.of(new SamlRefusal(Reason.REPLAYED, "the request was answered before"));
  }

  /** Checks whether a LogoutRequest has covered the assertion. */
  Optional<SamlRefusal> loggedOut(SpRealm realm, VerifiedAssertion assertion) {
    return logouts.cover(
            realm.name(),
            assertion.identityProvider(),
            assertion.asserted().nameId(),
            assertion.sessionIndex(),
            assertion.issueInstant())
        ? Optional.of(new SamlRefusal(Reason.LOGGED_OUT, "a LogoutRequest came before it was used"))
        : Optional.empty();
  }

  private boolean isPast(Instant end) {
    return !time.instant().isBefore(end.plus(ResponseExpectation.CLOCK_SKEW));
  }
}
