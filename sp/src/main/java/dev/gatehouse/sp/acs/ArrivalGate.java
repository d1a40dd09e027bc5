package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.Reading;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Digests;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.login.Landing;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Lets a verified login in for the browser that it belongs to, and only for that one: at once where the browser's
 * cookie is there, else by way of the parking and a GET.
 */
public final class ArrivalGate {

  private final Parking parking;
  private final Opening opening;
  private final Landing landing;
  private final AppSessions sessions;
  private final Pages pages;
  private final Refusals refusals;
  private final RandomGenerator random;

  public ArrivalGate(
      Parking parking,
      Opening opening,
      Landing landing,
      AppSessions sessions,
      Pages pages,
      Refusals refusals,
      RandomGenerator random) {
    this.parking = parking;
    this.opening = opening;
    this.landing = landing;
    this.sessions = sessions;
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
        ? open(realm, request, arrival)
        : otherBrowser(realm, request, assertion.identityProvider());
  }

  /** A login that nobody asked for. RelayState is the target if it is a path of ours (SAML Profiles 4.1.5). */
  EdgeReply unsolicited(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, Optional<String> relayState) {
    BrowserKey browser = BrowserKey.newUnsolicited(realm, random);
    ReturnTarget target = ReturnTarget.local(realm.home(), relayState.orElse("/"));
    Arrival arrival = new Arrival(realm.name(), assertion, Optional.empty(), target, browser.hash());
    boolean cookiesCame = BrowserKey.of(realm, request).isPresent() || session(realm, request).isPresent();
    return cookiesCame && !isAnotherPersons(realm, request, assertion)
        ? open(realm, request, arrival)
        : browser.rememberedBy(park(realm, request, arrival), request);
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
    if (arrival.isPresent()
        && !arrival.get().isSolicited()
        && isAnotherPersons(realm, request, arrival.get().assertion())) {
      return question(realm, request, key, arrival.get(), browser.get());
    }
    return enter(realm, request, key, memo.get());
  }

  /** The answer to {@link #question}. */
  EdgeReply confirm(SpRealm realm, EdgeRequest request, String key) {
    Optional<Parking.Memo> memo = parking.memo(key).filter(found -> found.realm().equals(realm.name()));
    Optional<BrowserKey> browser = memo.flatMap(found -> browser(realm, request, found));
    String csrf = request.formParameters().one("csrf").orElse("");
    if (memo.isEmpty() || browser.isEmpty() || !Digests.equal(csrf, csrf(browser.get(), key))) {
      return refusals.page(realm, request, 403, "expired");
    }
    return isOf(memo.get().browser(), browser)
        ? enter(realm, request, key, memo.get())
        : otherBrowser(realm, request, partner(key));
  }

  /** Of parallel callers one opens the session; the others go where that one goes. */
  private EdgeReply enter(SpRealm realm, EdgeRequest request, String key, Parking.Memo memo) {
    return parking
        .take(key, request.client())
        .map(arrival -> open(realm, request, arrival))
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

  private EdgeReply open(SpRealm realm, EdgeRequest request, Arrival arrival) {
    return switch (opening.open(realm, request, arrival, session(realm, request))) {
      case Reading.Refused<Opening.Opened>(SamlRefusal refusal) ->
          refusals.message(realm, request, arrival.assertion().identityProvider(), "Response", refusal);
      case Reading.Accepted<Opening.Opened>(Opening.Opened opened) -> {
        EdgeReply reply =
            landing
                .land(realm, arrival.target(), opened.session().id())
                .with("Set-Cookie", Cookies.set(request.origin(), ServiceProvider.COOKIE, opened.token().value()));
        yield BrowserKey.ofUnsolicited(realm, request).map(key -> key.forgottenBy(reply, request)).orElse(reply);
      }
    };
  }

  private EdgeReply question(
      SpRealm realm, EdgeRequest request, String key, Arrival arrival, BrowserKey browser) {
    Map<String, Object> model =
        Map.of(
            "action", request.path(),
            "parked", key,
            "csrf", csrf(browser, key),
            "now", session(realm, request).map(AppSession::user).orElse(""),
            "then", SubjectMapper.user(realm, arrival.assertion()));
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

  private boolean isAnotherPersons(SpRealm realm, EdgeRequest request, VerifiedAssertion assertion) {
    String user = SubjectMapper.user(realm, assertion);
    return session(realm, request)
        .filter(open -> !open.person().equals(AppSession.personId(assertion.identityProvider(), user)))
        .isPresent();
  }

  private Optional<AppSession> session(SpRealm realm, EdgeRequest request) {
    return request
        .cookie(Cookies.name(request.origin(), ServiceProvider.COOKIE))
        .flatMap(SessionToken::parse)
        .flatMap(token -> sessions.load(realm.name(), token));
  }

  private static String csrf(BrowserKey browser, String key) {
    return Digests.of("switch person", browser.value(), key);
  }
}
