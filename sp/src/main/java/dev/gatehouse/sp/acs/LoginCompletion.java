package dev.gatehouse.sp.acs;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.sp.check.RequestRules;
import dev.gatehouse.sp.check.RequestedLogin;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.common.crypto.Digests;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.AccountRules;
import dev.gatehouse.sp.link.AccountRules.Resolution;
import dev.gatehouse.sp.login.PendingRequest;
import dev.gatehouse.sp.login.PendingRequests;
import dev.gatehouse.sp.login.PendingRequests.Found;
import dev.gatehouse.sp.login.ReturnTarget;
import dev.gatehouse.sp.session.LocalAccount;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Completes a verified login for the browser that it belongs to, and for no other: at once if the request carries the
 * browser's cookies, otherwise after saving the login and redirecting to a GET request.
 */
public final class LoginCompletion {

  private static final String FORM = "switch-person";

  private final SavedLogins savedLogins;
  private final PendingRequests pendings;
  private final AccountRules accounts;
  private final SamlSessionOpening sessionOpening;
  private final SignOnRefusals signOnRefusals;
  private final Pages pages;
  private final Refusals refusals;
  private final RandomGenerator random;

  public LoginCompletion(
      SavedLogins savedLogins,
      PendingRequests pendings,
      AccountRules accounts,
      SamlSessionOpening sessionOpening,
      SignOnRefusals signOnRefusals,
      Pages pages,
      Refusals refusals,
      RandomGenerator random) {
    this.savedLogins = savedLogins;
    this.pendings = pendings;
    this.accounts = accounts;
    this.sessionOpening = sessionOpening;
    this.signOnRefusals = signOnRefusals;
    this.pages = pages;
    this.refusals = refusals;
    this.random = random;
  }

  /** Handles a login that answers a request of ours. */
  EdgeReply answer(SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, String requestId) {
    return BrowserKey.of(realm, request).isEmpty()
        ? saveAndRedirect(realm, request, new VerifiedLogin(realm.name(), assertion, new VerifiedLogin.Answered(requestId)))
        : recognised(
            realm,
            request,
            assertion,
            pendings.find(realm, request, requestId),
            login -> sessionOpening.enter(realm, request, login, accounts.resolve(realm, assertion.asserted())));
  }

  /** Handles an unsolicited login. RelayState is the target if it is a path or a URL of ours (SAML Profiles 4.1.5). */
  EdgeReply unsolicited(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, Optional<String> relayState) {
    BrowserKey browser = BrowserKey.newUnsolicited(realm, random);
    ReturnTarget target = ReturnTarget.parse(relayState.orElse("/"), realm, realm.home());
    boolean cookiesCame = BrowserKey.of(realm, request).isPresent() || sessionOpening.session(realm, request).isPresent();
    if (cookiesCame) {
      Resolution resolution = accounts.resolve(realm, assertion.asserted());
      if (!isAnotherPersons(realm, request, resolution)) {
        RecognisedLogin login = new RecognisedLogin(assertion, Optional.empty(), target, browser.hash());
        return sessionOpening.enter(realm, request, login, resolution);
      }
    }
    VerifiedLogin verified = new VerifiedLogin(realm.name(), assertion, new VerifiedLogin.Unsolicited(target, browser.hash()));
    return browser.rememberedBy(saveAndRedirect(realm, request, verified), request);
  }

  /**
   * Handles the GET request that continues a saved login. It may be repeated while the login is saved. The address was given to one
   * browser. If that is not the one that began, the login is dropped: its person may be persuaded to pass the address on to whoever did
   * begin.
   */
  EdgeReply resume(SpRealm realm, EdgeRequest request, String key) {
    Optional<VerifiedLogin> verified = savedLogins.peek(key).filter(found -> found.realm().equals(realm.name()));
    if (verified.isEmpty()) {
      return redirectTaken(realm, request, key);
    }
    VerifiedAssertion assertion = verified.get().assertion();
    return switch (verified.get().cause()) {
      case VerifiedLogin.Answered(String requestId) -> {
        Found found = pendings.find(realm, request, requestId);
        // A program that looks at addresses has no cookies, and takes nothing away.
        if (found instanceof Found.OtherBrowser && request.isNavigation()) {
          savedLogins.drop(key);
        }
        yield recognised(realm, request, assertion, found, login -> enter(realm, request, key, login));
      }
      case VerifiedLogin.Unsolicited unsolicited -> {
        Optional<BrowserKey> browser = BrowserKey.ofUnsolicited(realm, request);
        if (!isOf(unsolicited.browser(), browser)) {
          yield otherBrowser(realm, request, assertion);
        }
        Resolution resolution = accounts.resolve(realm, assertion.asserted());
        yield isAnotherPersons(realm, request, resolution)
            ? question(realm, request, key, user(realm, assertion, resolution), browser.orElseThrow())
            : enter(realm, request, key, login(assertion, unsolicited));
      }
    };
  }

  /** Handles the person's answer to {@link #question}. */
  EdgeReply confirm(SpRealm realm, EdgeRequest request, String key) {
    Optional<BrowserKey> browser = BrowserKey.ofUnsolicited(realm, request);
    if (browser.isEmpty() || !CsrfToken.isIn(request, browser.get().token(), FORM, key)) {
      return refusals.page(realm, request, 403, "expired");
    }
    Optional<VerifiedLogin> verified = savedLogins.peek(key).filter(found -> found.realm().equals(realm.name()));
    if (verified.isEmpty() || !(verified.get().cause() instanceof VerifiedLogin.Unsolicited unsolicited)) {
      return redirectTaken(realm, request, key);
    }
    return isOf(unsolicited.browser(), browser)
        ? enter(realm, request, key, login(verified.get().assertion(), unsolicited))
        : otherBrowser(realm, request, verified.get().assertion());
  }

  /** Continues if this browser holds the request, as was found, and the answer fulfils the request's requirements. */
  private EdgeReply recognised(
      SpRealm realm,
      EdgeRequest request,
      VerifiedAssertion assertion,
      Found found,
      Function<RecognisedLogin, EdgeReply> then) {
    return switch (found) {
      case Found.Waiting(PendingRequest pending) when pending.exchange().isEmpty() ->
          RequestRules.apply(assertion.authenticationResult(), requestedLogin(pending))
              .map(refusal -> refused(realm, request, assertion, pending, refusal))
              .orElseGet(() -> then.apply(login(realm, request, assertion, pending)));
      case Found.Answered answered ->
          refuse(realm, request, assertion, Reason.REPLAYED, "the request was answered before");
      case Found.OtherBrowser other -> otherBrowser(realm, request, assertion);
      case Found.Lost lost -> signOnRefusals.lost(realm, request, assertion.identityProvider());
      case Found.Waiting ofOpenId -> unknown(realm, request, assertion);
      case Found.Unknown unknown -> unknown(realm, request, assertion);
    };
  }

  private static RequestedLogin requestedLogin(PendingRequest pending) {
    return new RequestedLogin(
        pending.identityProvider(), pending.authnContext(), pending.loginRequest().forceAuthn(), pending.createdAt());
  }

  private static RecognisedLogin login(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, PendingRequest pending) {
    String browser = BrowserKey.of(realm, request).map(BrowserKey::hash).orElseThrow();
    return new RecognisedLogin(assertion, Optional.of(pending), pending.target(), browser);
  }

  private static RecognisedLogin login(VerifiedAssertion assertion, VerifiedLogin.Unsolicited unsolicited) {
    return new RecognisedLogin(assertion, Optional.empty(), unsolicited.target(), unsolicited.browser());
  }

  /** If several calls run in parallel, one opens the session; the others redirect to the same target. */
  private EdgeReply enter(SpRealm realm, EdgeRequest request, String key, RecognisedLogin login) {
    return savedLogins
        .take(key, new SavedLogins.Memo(realm.name(), login.isSolicited(), login.target(), login.browser()))
        .map(verified -> accounts.resolve(realm, verified.assertion().asserted()))
        .map(resolution -> sessionOpening.enter(realm, request, login, resolution))
        .orElseGet(() -> EdgeReply.seeOther(login.target().url()));
  }

  /** The login was taken before: redirects its browser to the same target as before. */
  private EdgeReply redirectTaken(SpRealm realm, EdgeRequest request, String key) {
    return savedLogins
        .memo(key)
        .filter(memo -> memo.realm().equals(realm.name()))
        .filter(memo -> isOf(memo.browser(), browser(realm, request, memo)))
        .map(memo -> EdgeReply.seeOther(memo.target().url()))
        .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
  }

  private EdgeReply saveAndRedirect(SpRealm realm, EdgeRequest request, VerifiedLogin verified) {
    return switch (savedLogins.save(verified, request.client())) {
      case SavedLogins.SaveResult.Saved(String key) ->
          EdgeReply.seeOther(realm.sp().acs() + "?" + AssertionConsumerServiceEndpoint.RESUME + "=" + key);
      case SavedLogins.SaveResult.Full(Duration retryAfter) -> {
        SamlRefusal refusal = new SamlRefusal(Reason.TOO_MANY_PENDING_RESPONSES, "this login too often, or too many in all");
        refusals.audited(realm, request, verified.assertion().identityProvider(), "Response", refusal);
        yield refusals.tooManyWaiting(realm, request, 429, retryAfter);
      }
    };
  }

  private EdgeReply question(
      SpRealm realm, EdgeRequest request, String key, String then, BrowserKey browser) {
    Map<String, Object> model =
        Map.of(
            "action", request.path(),
            "resume", key,
            "csrf", CsrfToken.of(browser.token(), FORM, key),
            "now", sessionOpening.session(realm, request).map(session -> session.account().user()).orElse(""),
            "then", then);
    return pages.render(request, Optional.of(realm.realm()), Page.of(200, "switch-person", model));
  }

  private EdgeReply refused(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, PendingRequest pending, SamlRefusal refusal) {
    String partner = assertion.identityProvider();
    return refusal.reason() == Reason.AUTHN_CONTEXT
        ? signOnRefusals.tooWeak(realm, request, partner, SignOnRefusals.Again.of(realm, pending), refusal)
        : refusals.message(realm, request, partner, "Response", refusal);
  }

  private EdgeReply otherBrowser(SpRealm realm, EdgeRequest request, VerifiedAssertion assertion) {
    String detail = "not the browser that began, or without its cookies, or it has begun others since";
    return refuse(realm, request, assertion, Reason.OTHER_BROWSER, detail);
  }

  private EdgeReply unknown(SpRealm realm, EdgeRequest request, VerifiedAssertion assertion) {
    return refuse(realm, request, assertion, Reason.IN_RESPONSE_TO, "the request is not pending any more");
  }

  private EdgeReply refuse(
      SpRealm realm, EdgeRequest request, VerifiedAssertion assertion, Reason reason, String detail) {
    return refusals.message(
        realm, request, assertion.identityProvider(), "Response", new SamlRefusal(reason, detail));
  }

  private static Optional<BrowserKey> browser(SpRealm realm, EdgeRequest request, SavedLogins.Memo memo) {
    return memo.solicited() ? BrowserKey.of(realm, request) : BrowserKey.ofUnsolicited(realm, request);
  }

  private static boolean isOf(String hash, Optional<BrowserKey> browser) {
    return browser.filter(own -> Digests.equal(own.hash(), hash)).isPresent();
  }

  private boolean isAnotherPersons(SpRealm realm, EdgeRequest request, Resolution resolution) {
    return sessionOpening
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

  /**
   * The name of the account that would be logged in. If no account is linked yet, the name comes from the identity
   * provider.
   */
  private String user(SpRealm realm, VerifiedAssertion assertion, Resolution resolution) {
    return account(resolution).orElseGet(() -> accounts.account(realm, assertion.asserted())).user();
  }
}
