package dev.gatehouse.idp.passkey;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.passkey.Passkeys;
import dev.gatehouse.common.passkey.Passkeys.Addition;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.KnownDevices;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * What a login leads through: the notice of passkeys that were added meanwhile, and the offer of a first passkey to people who have just
 * logged in by password, until they have answered.
 */
public final class PasskeyOffers {

  /** The path of the page below {@code /realms/{realm}/}. */
  public static final String PATH = "account/passkeys/offer";

  /** The path of the notice below {@code /realms/{realm}/}. */
  public static final String NOTICE = "account/passkeys/notice";

  private static final Logger LOG = LoggerFactory.getLogger(PasskeyOffers.class);

  private final Passkeys passkeys;
  private final KnownDevices devices;
  private final InstantSource clock;

  public PasskeyOffers(Passkeys passkeys, KnownDevices devices, InstantSource clock) {
    this.passkeys = passkeys;
    this.devices = devices;
    this.clock = clock;
  }

  /**
   * Returns where a login goes on: to the notice or to the offer if one is due, else to where it leads.
   *
   * @param contract of the first step
   * @param pending the key of the sign-on that waits
   * @param next where the login leads without an offer
   */
  public String before(RealmRequest request, PersonId person, LoginContract contract, Optional<String> pending, String next) {
    // Whoever logs in again for a change on the account page is on the way to something else.
    boolean changes = pending.isPresent() && next.startsWith(request.here("account"));
    String told = afterNotice(request, person, pending, next);
    return told.equals(next) && contract == LoginContract.PASSWORD && !changes && isDue(request, person)
        ? address(request, PATH, pending)
        : told;
  }

  /** Like {@link #before}, without the offer. */
  public String afterNotice(RealmRequest request, PersonId person, Optional<String> pending, String next) {
    // The page itself looks which of them this session may put away.
    return request.idp().contracts().passkeys().isPresent() && isUntold(request, person)
        ? address(request, NOTICE, pending)
        : next;
  }

  /** A login that needs no database goes on without it: the notice waits. */
  private boolean isUntold(RealmRequest request, PersonId person) {
    try {
      return !untold(request, person).isEmpty();
    } catch (DataAccessException e) {
      LOG.debug("Additions of passkeys cannot be read: they are told later", e);
      return false;
    }
  }

  /**
   * Somebody who knows the password puts a notice away in a browser of their own. So each browser in which the person has logged in before
   * tells once by itself, as long as it stays known; any other one tells until the notice was put away anywhere.
   */
  private List<Addition> untold(RealmRequest request, PersonId person) {
    List<Addition> additions = passkeys.additions(request.realm().name(), person);
    if (additions.isEmpty()) {
      return additions;
    }
    Optional<String> browser = devices.browser(request, person);
    Instant since = clock.instant().minus(Passkeys.TOLD_FOR);
    return additions.stream()
        .filter(
            addition ->
                !addition.isTold()
                    || addition.at().isAfter(since) && browser.filter(here -> !addition.toldIn().contains(here)).isPresent())
        .toList();
  }

  /**
   * Returns the address of the notice or of the offer.
   *
   * @param page its path
   * @param pending the key of the sign-on that waits
   */
  public static String address(RealmRequest request, String page, Optional<String> pending) {
    return request.here(page) + pending.map(key -> "?pending=" + key).orElse("");
  }

  /** Returns the additions of passkeys that the session has to tell of, the oldest first. */
  public List<Addition> untold(RealmRequest request, IdpSession session) {
    return untold(request, session.person()).stream()
        .filter(addition -> !addition.session().equals(session.first().value()))
        .toList();
  }

  /** Keeps that the session has told of the additions up to a number. */
  public void told(RealmRequest request, IdpSession session, long upTo) {
    String browser = devices.browser(request, session.person()).orElse(Passkeys.UNKNOWN_BROWSER);
    passkeys.told(
        session.realm(), session.person(), new Passkeys.Telling(session.first().value(), browser, upTo, clock.instant()));
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
