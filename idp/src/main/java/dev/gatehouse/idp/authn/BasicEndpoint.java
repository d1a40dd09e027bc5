package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.PasswordLogin.Attempt;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Login by HTTP Basic (RFC 7617, in UTF-8), for partners whose clients cannot fill in a form. Off unless the realm
 * enables it.
 *
 * <p>Browsers repeat remembered credentials by themselves, even after a logout, and a link from any site may contain
 * credentials ({@code https://name:password@host/}). Therefore a login counts only for a sign-on that waits for this
 * very browser; redirects and links to this endpoint contain the whole address, which drops credentials of the previous
 * one; and if a fresh login is demanded (ForceAuthn), this contract is not offered.
 */
public final class BasicEndpoint implements Endpoint {

  /** The most characters that name and password may have. */
  private static final int LONGEST = 4096;

  private final IdpSessions sessions;
  private final BrowserBinding browsers;
  private final PendingSignOns waiting;
  private final PasswordLogin passwords;
  private final Pages pages;
  private final Refusals refusals;

  BasicEndpoint(
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

  /**
   * The whole address, so that no credentials of the previous address are carried over (WHATWG URL, relative state).
   */
  static String address(RealmRequest request, String pending) {
    return request.origin() + request.here("login/basic") + "?pending=" + pending;
  }

  /** The name and password as sent. */
  private record Credentials(String name, String password) {}

  @Override
  public EdgeReply handle(RealmRequest request) {
    boolean isProtected =
        AuthnContexts.level(LoginContract.BASIC, request.origin()).reaches(AuthnLevel.PROTECTED_PASSWORD);
    if (!request.idp().contracts().basic() || !isProtected) {
      return refusals.page(request, 404, "not-found", "BASIC_OFF");
    }
    Optional<PendingSignOn> sought =
        request.http().queryParameters().one("pending").flatMap(key -> waiting.find(request, key));
    Optional<SessionToken> browser =
        browsers
            .find(request)
            .filter(token -> sought.filter(w -> w.browser().equals(BrowserBinding.hash(token))).isPresent());
    if (sought.isEmpty() || browser.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_PENDING_LOGIN");
    }
    AuthnDecision decision = AuthnDecisions.of(request, sought.get().wanted(), sessions.current(request));
    if (!(decision instanceof AuthnDecision.Login(var contracts)) || !contracts.contains(LoginContract.BASIC)) {
      return EdgeReply.seeOther(LoginEndpoint.address(request, sought.map(PendingSignOn::key)));
    }
    return credentials(request)
        .map(sent -> login(request, sent, browser.get(), sought.get()))
        .orElseGet(() -> challenge(request, sought.get()));
  }

  private EdgeReply login(RealmRequest request, Credentials sent, SessionToken browser, PendingSignOn sought) {
    return switch (passwords.attempt(
        request, LoginContract.BASIC, sent.name(), sent.password(), browser, Optional.of(sought))) {
      case Attempt.Accepted(var next) -> next;
      case Attempt.Refused() -> challenge(request, sought);
      case Attempt.Throttled(var retryAfter) ->
          refusals
              .page(request, 429, "too-many-tries", "THROTTLED")
              .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
    };
  }

  /** The page for a person who cancels the browser's dialog: it links to the form. */
  private EdgeReply challenge(RealmRequest request, PendingSignOn sought) {
    String form = LoginEndpoint.address(request, Optional.of(sought.key())) + "&by=form";
    Map<String, Object> model = Map.of("form", form, "again", address(request, sought.key()));
    return pages
        .render(request.http(), Optional.of(request.realm()), Page.of(401, "basic", model))
        .with("WWW-Authenticate", "Basic realm=\"" + request.realm().name() + "\", charset=\"UTF-8\"");
  }

  /** Empty if there are no readable credentials: then the browser asks for them. */
  private static Optional<Credentials> credentials(RealmRequest request) {
    List<String> fields = request.http().headers().all("Authorization");
    if (fields.size() != 1 || !fields.getFirst().regionMatches(true, 0, "Basic ", 0, 6)) {
      return Optional.empty();
    }
    String base64 = fields.getFirst().substring(6).strip();
    if (base64.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      int colon = text.indexOf(':');
      return colon < 0
          ? Optional.empty()
          : Optional.of(new Credentials(text.substring(0, colon), text.substring(colon + 1)));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
