package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Digests;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.AccountRules;
import dev.gatehouse.sp.link.AccountRules.Resolution;
import dev.gatehouse.sp.link.LocalAccount;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.session.AppSession;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Lets a verified login in for the browser that it belongs to, and only for that one: at once where the browser's
 * cookie is there, else by way of the parking and a GET.
 */
public final class ArrivalGate {

  private final Parking parking;
  private final AccountRules accounts;
  private final Entrance entrance;
  private final Pages pages;
  private final Refusals refusals;
  private final RandomGenerator random;

  public ArrivalGate(
      Parking parking,
      AccountRules accounts,
      Entrance entrance,
      Pages pages,
      Refusals refusals,
      RandomGenerator random) {
    this.parking = parking;
    this.accounts = accounts;
    this.entrance = entrance;
    this.pages = pages;
    this.refusals = refusals;
    this.random = random;
  }

  /** A login that answers a pending request. */
  EdgeReply answer(SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, PendingRequest pending) {
    Arrival arrival =
        new Arrival(realm.name(), assertion, Optional.of(pending.id()), pending.target(), pending.browser());
    Optional<BrowserKey> browser = BrowserKey.of(realm, request);
    if (browser.isEmpty()) {
      return park(realm, request, arrival);
    }
    return isOf(arrival.browser(), browser)
        ? entrance.enter(realm, request, arrival, accounts.resolve(realm, assertion.asserted()))
        : otherBrowser(realm, request, assertion.identityProvider());
  }

  /** A login that nobody asked for. RelayState is the target if it is a path or a URL of ours (SAML Profiles 4.1.5). */
  EdgeReply unsolicited(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, Optional<String> relayState) {
    BrowserKey browser = BrowserKey.newUnsolicited(realm, random);
    ReturnTarget target = ReturnTarget.parse(relayState.orElse("/"), realm, realm.home());
    Arrival arrival = new Arrival(realm.name(), assertion, Optional.empty(), target, browser.hash());
    boolean cookiesCame = BrowserKey.of(realm, request).isPresent() || entrance.session(realm, request).isPresent();
    if (cookiesCame) {
      Resolution resolution = accounts.resolve(realm, assertion.asserted());
      if (!isAnotherPersons(realm, request, resolution)) {
        return entrance.enter(realm, request, arrival, resolution);
      }
    }
    return browser.rememberedBy(park(realm, request, arrival), request);
  }

  /** The GET that a parked login continues with; again and again for as long as it is parked. */
  EdgeReply resume(SpRealm realm, EdgeRequest request, String key) {
    Optional<Parking.Memo> memo = parking.memo(key).filter(found -> found.realm().equals(realm.name()));
    if (memo.isEmpty()) {
      return refusals.page(realm, request, 403, "expired");
    }
    Optional<BrowserKey> browser = browser(realm, request, memo.get());
    if (browser.isEmpty() || !isOf(memo.get().browser(), browser)) {
      return otherBrowser(realm, request, partner(key));
    }
    Optional<Arrival> arrival = parking.peek(key);
    if (arrival.isEmpty()) {
      return EdgeReply.seeOther(memo.get().target().url());
    }
    Resolution resolution = accounts.resolve(realm, arrival.get().assertion().asserted());
    return !arrival.get().isSolicited() && isAnotherPersons(realm, request, resolution)
        ? question(realm, request, key, user(realm, arrival.get(), resolution), browser.get())
        : enter(realm, request, key, memo.get(), resolution);
  }

  /** The answer to {@link #question}. */
  EdgeReply confirm(SpRealm realm, EdgeRequest request, String key) {
    Optional<Parking.Memo> memo = parking.memo(key).filter(found -> found.realm().equals(realm.name()));
    Optional<BrowserKey> browser = memo.flatMap(found -> browser(realm, request, found));
    String csrf = request.formParameters().one("csrf").orElse("");
    if (memo.isEmpty() || browser.isEmpty() || !Digests.equal(csrf, csrf(browser.get(), key))) {
      return refusals.page(realm, request, 403, "expired");
    }
    if (!isOf(memo.get().browser(), browser)) {
      return otherBrowser(realm, request, partner(key));
    }
    return parking
        .peek(key)
        .map(arrival -> accounts.resolve(realm, arrival.assertion().asserted()))
        .map(resolution -> enter(realm, request, key, memo.get(), resolution))
        .orElseGet(() -> EdgeReply.seeOther(memo.get().target().url()));
  }

  /** Of parallel callers one opens the session; the others go where that one goes. */
  private EdgeReply enter(
      SpRealm realm, EdgeRequest request, String key, Parking.Memo memo, Resolution resolution) {
    return parking
        .take(key, request.client())
        .map(arrival -> entrance.enter(realm, request, arrival, resolution))
        .orElseGet(() -> EdgeReply.seeOther(memo.target().url()));
  }

  private EdgeReply park(SpRealm realm, EdgeRequest request, Arrival arrival) {
    return parking
        .park(arrival, request.client())
        .map(key -> EdgeReply.seeOther(realm.sp().acs() + "?" + AssertionConsumerServiceEndpoint.PARKED + "=" + key))
        .orElseGet(() -> full(realm, request, arrival));
  }

  private EdgeReply full(SpRealm realm, EdgeRequest request, Arrival arrival) {
    SamlRefusal refusal = new SamlRefusal(Reason.TOO_MANY_PARKED, "from this address, or in all");
    refusals.audited(realm, request, arrival.assertion().identityProvider(), "Response", refusal);
    return refusals.page(realm, request, 429, "too-many-tries");
  }

  private EdgeReply question(
      SpRealm realm, EdgeRequest request, String key, String then, BrowserKey browser) {
    Map<String, Object> model =
        Map.of(
            "action", request.path(),
            "parked", key,
            "csrf", csrf(browser, key),
            "now", entrance.session(realm, request).map(AppSession::user).orElse(""),
            "then", then);
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "switch-person", model));
  }

  private EdgeReply otherBrowser(SpRealm realm, EdgeRequest request, String partner) {
    SamlRefusal refusal = new SamlRefusal(Reason.OTHER_BROWSER, "not the browser that began, or without its cookie");
    return refusals.message(realm, request, partner, "Response", refusal);
  }

  private String partner(String key) {
    return parking.peek(key).map(arrival -> arrival.assertion().identityProvider()).orElse("-");
  }

  private static Optional<BrowserKey> browser(SpRealm realm, EdgeRequest request, Parking.Memo memo) {
    return memo.solicited() ? BrowserKey.of(realm, request) : BrowserKey.ofUnsolicited(realm, request);
  }

  private static boolean isOf(String hash, Optional<BrowserKey> browser) {
    return browser.filter(own -> Digests.equal(own.hash(), hash)).isPresent();
  }

  private boolean isAnotherPersons(SpRealm realm, EdgeRequest request, Resolution resolution) {
    return entrance
        .session(realm, request)
        .filter(open -> account(resolution).filter(then -> then.person().equals(open.person())).isEmpty())
        .isPresent();
  }

  private static Optional<LocalAccount> account(Resolution resolution) {
    return switch (resolution) {
      case Resolution.Known(LocalAccount account) -> Optional.of(account);
      case Resolution.Matched(LocalAccount account) -> Optional.of(account);
      case Resolution.LoginNeeded needed -> Optional.empty();
      case Resolution.Refused refused -> Optional.empty();
    };
  }

  /** Who it would be; where no account here is that person's yet, as the identity provider says. */
  private static String user(SpRealm realm, Arrival arrival, Resolution resolution) {
    return account(resolution).orElseGet(() -> arrival.assertion().asserted().account(realm)).user();
  }

  private static String csrf(BrowserKey browser, String key) {
    return Digests.of("switch person", browser.value(), key);
  }
}
