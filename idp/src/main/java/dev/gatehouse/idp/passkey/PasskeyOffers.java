package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.LoginContract;
import java.time.InstantSource;
import java.util.Optional;

/** Offers a first passkey to people who have just logged in by password, until they have answered. */
public final class PasskeyOffers {

  /** The path of the page below {@code /realms/{realm}/}. */
  public static final String PATH = "account/passkeys/offer";

  private final Passkeys passkeys;
  private final InstantSource clock;

  public PasskeyOffers(Passkeys passkeys, InstantSource clock) {
    this.passkeys = passkeys;
    this.clock = clock;
  }

  /**
   * Returns where a login goes on: to the offer if it is due, else to where it leads.
   *
   * @param contract of the first step
   * @param pending the key of the sign-on that waits
   * @param next where the login leads without an offer
   */
  public String before(RealmRequest request, PersonId person, LoginContract contract, Optional<String> pending, String next) {
    // Whoever logs in again for a change on the account page is on the way to something else.
    boolean changes = pending.isPresent() && next.startsWith(request.here("account"));
    return contract == LoginContract.PASSWORD && !changes && isDue(request, person)
        ? request.here(PATH) + pending.map(key -> "?pending=" + key).orElse("")
        : next;
  }

  /** Returns whether the person has neither a passkey nor answered the offer. */
  public boolean isDue(RealmRequest request, PersonId person) {
    String realm = request.realm().name();
    return request.idp().contracts().passkeys().filter(ContractsConfig.Passkeys::offer).isPresent()
        && PasskeyParty.of(request).isPresent()
        && passkeys.of(realm, person).isEmpty()
        && !passkeys.isOfferAnswered(realm, person);
  }

  /** Keeps that the person has answered, with whatever answer. */
  public void answered(RealmRequest request, PersonId person) {
    passkeys.answerOffer(request.realm().name(), person, clock.instant());
  }
}
