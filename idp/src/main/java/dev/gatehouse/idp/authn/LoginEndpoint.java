package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.authn.PasswordLogin.Attempt;
import dev.gatehouse.idp.certificate.CertificateLogins;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.passkey.PasskeyParty;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The login form: plain fields {@code username}, {@code password} and hidden {@code csrf}. {@code pending} in the
 * address names the waiting sign-on; without it the login leads to the account page. Works without scripts. Errors
 * appear on the page, and never tell whether the name or the password was wrong.
 */
public final class LoginEndpoint implements Endpoint {

  /** The name of the form in its {@link CsrfToken}; the cancel button uses the same. */
  public static final String FORM = "login";

  /** The page for people who forgot their password, in realms that allow new ones by mail. */
  public static final String FORGOTTEN = "password/forgotten";

  private static final Set<String> WRONG = Set.of("form", "passkey");

  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final PendingSignOns waiting;
  private final PasswordLogin passwords;
  private final Pages pages;
  private final Refusals refusals;

  LoginEndpoint(
      IdpSessions sessions,
      BrowserBinding browsers,
      PendingSignOns waiting,
      PasswordLogin passwords,
      Pages pages,
      Refusals refusals) {
    this.sessions = sessions;
    this.browsers = browsers;
    this.waiting = waiting;
    this.passwords = passwords;
    this.pages = pages;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(RealmRequest sent) {
    Optional<String> pending = sent.http().queryParameters().one("pending");
    Optional<PendingSignOn> sought =
        pending.flatMap(key -> waiting.find(sent, key)).filter(w -> browsers.matches(sent, w.browser()));
    RealmRequest request = PendingSignOn.spoken(sent, sought);
    if (pending.isPresent() && sought.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PENDING_LOGIN");
    }
    if (!request.http().isGet()) {
      return submit(request, sought);
    }
    SessionToken browser = browsers.findOrCreate(request);
    return browsers.keep(request, browser, show(request, sought, browser, wrong(request)));
  }

  /** The message of a form that another address refused. */
  static Optional<String> wrong(RealmRequest request) {
    return request.http().queryParameters().one("wrong").filter(WRONG::contains).map(wrong -> "login.wrong." + wrong);
  }

  /** Without passkeys, the pages of a login have no script. */
  static Page.Policy policy(RealmRequest request) {
    return PasskeyParty.of(request).isPresent() ? Page.Policy.scripted(request.here(PasskeyScript.PATH)) : Page.Policy.plain();
  }

  /**
   * Shows the form in the response that lets a sign-on wait, which spares the browser a redirect.
   *
   * @param browser the browser's value, which the caller adds to the response
   */
  public EdgeReply begin(RealmRequest request, PendingSignOn sought, SessionToken browser) {
    Optional<PendingSignOn> waits = Optional.of(sought);
    return show(PendingSignOn.spoken(request, waits), waits, browser, Optional.empty());
  }

  private EdgeReply show(
      RealmRequest request, Optional<PendingSignOn> sought, SessionToken browser, Optional<String> wrong) {
    Optional<IdpSession> session = sessions.current(request);
    return switch (AuthnDecisions.of(request, LoginSteps.wanted(sought), session)) {
      // The waiting request handles both: also the case that no login can ever satisfy it.
      case AuthnDecision.Satisfied satisfied -> EdgeReply.seeOther(next(request, sought));
      case AuthnDecision.Never never -> EdgeReply.seeOther(next(request, sought));
      case AuthnDecision.StepUp stepUp when !isForForm(request) ->
          EdgeReply.seeOther(SecondStepEndpoint.address(request) + "?pending=" + key(sought));
      case AuthnDecision.StepUp tooOld -> form(request, sought, browser, 200, hint(sought), wrong, Optional.empty());
      // A session that our page can bring back is not replaced by a login.
      case AuthnDecision.Login(var contracts) when session.isEmpty() && mayProve(request) ->
          EdgeReply.seeOther(DeviceKeys.page(request, next(request, sought)));
      case AuthnDecision.Login(var contracts) ->
          isForToken(request, sought, contracts)
              ? EdgeReply.seeOther(TokenLoginEndpoint.address(request, sought.map(PendingSignOn::key)))
              : isForBasic(request, sought, contracts)
              ? EdgeReply.seeOther(BasicEndpoint.address(request, key(sought)))
              : form(request, sought, browser, 200, hint(sought), wrong, Optional.empty());
    };
  }

  /** A browser that has lost its key comes back from the page, and needs a login. */
  private boolean mayProve(RealmRequest request) {
    return !isForForm(request) && sessions.waitsForProof(request);
  }

  /** The address of the form itself: for a browser that has lost its key, or whose session is too old for what comes next. */
  public static String formAddress(RealmRequest request, Optional<String> pending) {
    return request.here("login") + "?" + pending.map(key -> "pending=" + key + "&").orElse("") + "by=form";
  }

  private static boolean isForForm(RealmRequest request) {
    return request.http().queryParameters().one("by").isPresent();
  }

  private static String hint(Optional<PendingSignOn> sought) {
    return sought.flatMap(PendingSignOn::loginHint).filter(hint -> hint.length() <= LoginNames.LONGEST).orElse("");
  }

  /**
   * A partner that demands HTTP Basic has clients that cannot fill in a form. A person who cancels its dialog returns
   * here for the form.
   */
  private static boolean isForBasic(
      RealmRequest request, Optional<PendingSignOn> sought, Set<LoginContract> contracts) {
    return contracts.contains(LoginContract.BASIC)
        && !isForForm(request)
        && LoginSteps.wanted(sought).least().filter(least -> least == LoginContract.BASIC).isPresent();
  }

  /** Returns whether a password and the code of an app do not do. A person who has both steps before them comes here by choice. */
  private static boolean isForToken(RealmRequest request, Optional<PendingSignOn> sought, Set<LoginContract> contracts) {
    return contracts.contains(LoginContract.TOKEN)
        && !(contracts.contains(LoginContract.PASSKEY) && AuthnDecisions.isReachedBy(request, LoginSteps.wanted(sought), LoginContract.PASSKEY))
        && !isForForm(request)
        && !AuthnDecisions.isReachedBy(request, LoginSteps.wanted(sought), LoginContract.PASSWORD);
  }

  private static String key(Optional<PendingSignOn> sought) {
    return sought.map(PendingSignOn::key).orElse("");
  }

  private EdgeReply submit(RealmRequest request, Optional<PendingSignOn> sought) {
    Parameters fields = request.http().formParameters();
    String name = fields.one("username").orElse("");
    Optional<SessionToken> browser = browsers.find(request);
    if (browser.isEmpty()) {
      // The POST comes from another site, or cookies are off. A GET shows which; a new cookie now would replace one
      // that the browser withheld.
      String again = address(request, sought.map(PendingSignOn::key));
      return EdgeReply.seeOther(again + (again.contains("?") ? "&" : "?") + "wrong=form");
    }
    if (!CsrfToken.isIn(request.http(), browser.get(), FORM)) {
      return form(request, sought, browser.get(), 403, "", Optional.of("login.wrong.form"), Optional.empty());
    }
    String password = fields.one("password").orElse("");
    return switch (passwords.attempt(request, LoginContract.PASSWORD, name, password, browser.get(), sought)) {
      case Attempt.Accepted(var next) -> next;
      case Attempt.Refused() -> 
          form(request, sought, browser.get(), 403, name, Optional.of("login.wrong.credentials"), Optional.empty());
      case Attempt.Throttled(var retryAfter) ->
          ThrottledForm.with(
              form(
                  request, sought, browser.get(), ThrottledForm.STATUS, name, Optional.of("login.wrong.throttled"),
                  Optional.of(retryAfter)),
              retryAfter);
    };
  }

  private EdgeReply form(
      RealmRequest request,
      Optional<PendingSignOn> sought,
      SessionToken browser,
      int status,
      String name,
      Optional<String> wrong,
      Optional<Duration> retryAfter) {
    Set<LoginContract> offered = offered(request, sought);
    Map<String, Object> model = new HashMap<>();
    model.put("name", name);
    model.put("wrong", wrong);
    retryAfter.ifPresent(wait -> ThrottledForm.addWait(model, wait));
    model.put("partner", sought.map(PendingSignOn::partner));
    sought.map(PendingSignOn::links).orElse(PartnerLinks.NONE).into(model);
    model.put("password", offered.contains(LoginContract.PASSWORD));
    model.put("forgotten", request.idp().contracts().passwordReset().map(reset -> request.here(FORGOTTEN)));
    Map<String, String> texts = new HashMap<>();
    texts.put("action", address(request, sought.map(PendingSignOn::key)));
    texts.put("csrf", CsrfToken.of(browser, FORM));
    sought.flatMap(PendingSignOn::cancel).ifPresent(cancel -> texts.put("cancel", cancel));
    if (offered.contains(LoginContract.TOKEN)) {
      texts.put("token", TokenLoginEndpoint.address(request, sought.map(PendingSignOn::key)));
    }
    if (offered.contains(LoginContract.CERTIFICATE)) {
      CertificateLogins.address(request, BrowserBinding.hash(browser), sought.map(PendingSignOn::key))
          .ifPresent(address -> texts.put("certificate", address));
    }
    if (offered.contains(LoginContract.PASSKEY) && PasskeyParty.of(request).isPresent()) {
      texts.put("passkey", request.here(PasskeyEndpoint.LOGIN) + sought.map(w -> "?pending=" + w.key()).orElse(""));
    }
    return rendered(request, new Page(status, "login", model, policy(request)), name, texts);
  }

  /**
   * Prepared pages are used only while nobody has typed anything: otherwise typed text would create pages without
   * limit.
   */
  private EdgeReply rendered(RealmRequest request, Page page, String name, Map<String, String> texts) {
    Optional<Realm> realm = Optional.of(request.realm());
    return name.isEmpty()
        ? pages.render(request.http(), realm, page, texts)
        : pages.render(request.http(), realm, page.with(texts));
  }

  /** The contracts that satisfy the sign-on; if none does, those that people usually look for. */
  private static Set<LoginContract> offered(RealmRequest request, Optional<PendingSignOn> sought) {
    return AuthnDecisions.of(request, LoginSteps.wanted(sought), List.of()) instanceof AuthnDecision.Login(var contracts)
        ? contracts
        : LoginContracts.interactive(request);
  }

  /** The address after a completed login: always one of our paths, whatever the browser sent. */
  public static String next(RealmRequest request, Optional<PendingSignOn> sought) {
    return sought.map(PendingSignOn::resume).orElse(request.here("account"));
  }

  /** The address of the form. We create the keys, so they need no escaping. */
  public static String address(RealmRequest request, Optional<String> pending) {
    return request.here("login") + pending.map(key -> "?pending=" + key).orElse("");
  }
}
