package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.sp.device.BoundSessions;
import dev.gatehouse.sp.edge.BrowserKey;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * {@code GET /.gatehouse/login?return=...}: redirects to the identity provider, or straight back if there is a session
 * that meets the requirements. At an origin other than the home origin, it first leaves a nonce with the browser and
 * redirects to the home origin with the nonce's hash; the home origin sends the person back with a ticket.
 * {@code ?again=ID} repeats a login that its identity provider refused.
 */
public final class LoginEndpoint {

  /** The path of the login endpoint. */
  public static final String PATH = SpPaths.PREFIX + "login";

  private final LoginStart start;
  private final IdentityProviderChoice choice;
  private final PendingRequests pendings;
  private final ReturnRedirect returnRedirect;
  private final BoundSessions sessions;
  private final Refusals refusals;
  private final InstantSource time;
  private final RandomGenerator random;

  public LoginEndpoint(
      LoginStart start,
      IdentityProviderChoice choice,
      PendingRequests pendings,
      ReturnRedirect returnRedirect,
      BoundSessions sessions,
      Refusals refusals,
      InstantSource time,
      RandomGenerator random) {
    this.start = start;
    this.choice = choice;
    this.pendings = pendings;
    this.returnRedirect = returnRedirect;
    this.sessions = sessions;
    this.refusals = refusals;
    this.time = time;
    this.random = random;
  }

  /** The link at this origin that begins the login. */
  public static String link(Origin at, LoginRequest loginRequest) {
    return PATH + "?" + loginRequest.query(at);
  }

  /** The link that repeats the login of this AuthnRequest, in the browser that began it. */
  public static String again(String requestId) {
    return PATH + "?again=" + requestId;
  }

  public EdgeReply handle(SpRealm realm, EdgeRequest request) {
    if (!request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET");
    }
    if (!request.isNavigation()) {
      return Challenge.unauthorized(realm);
    }
    Optional<String> again = request.queryParameters().one("again");
    if (again.isPresent()) {
      return pendings
          .loginRequestOf(realm, request, again.get())
          .map(loginRequest -> begin(realm, request, loginRequest.active()))
          .orElseGet(() -> refusals.page(realm, request, 403, "expired"));
    }
    LoginRequest loginRequest = LoginRequest.parse(realm, request, request.queryParameters());
    if (!loginRequest.target().origin().equals(request.origin()) && !realm.isHome(request)) {
      loginRequest = loginRequest.withTarget(ReturnTarget.local(request.origin(), "/"));
    }
    if (!loginRequest.forceAuthn() && sessions.waitsForProof(realm, request)) {
      return EdgeReply.seeOther(DevicePage.link(request.path(), request.query()));
    }
    Optional<AppSession> session = session(realm, request);
    return session.isPresent() && isMet(realm, loginRequest, session.get())
        ? returnRedirect.redirect(realm, loginRequest.target(), session.get().id())
        : begin(realm, request, loginRequest);
  }

  private boolean isMet(SpRealm realm, LoginRequest loginRequest, AppSession session) {
    boolean chosen = loginRequest.identityProvider().filter(id -> !id.equals(session.login().identityProvider())).isEmpty();
    return !loginRequest.forceAuthn() && chosen && loginRequest.requirements(realm).isMetBy(session, time.instant());
  }

  /** Begins a login for a person who has no session at this origin, or one that does not meet the requirements. */
  EdgeReply begin(SpRealm realm, EdgeRequest request, LoginRequest asked) {
    // A person whose session was used elsewhere, or has lost its key, is asked again: single sign-on would help a thief.
    boolean again = isTooOld(realm, request, asked) || sessions.isElsewhere(realm, request);
    LoginRequest loginRequest = again ? asked.anew() : asked;
    if (!realm.isHome(request)) {
      return goHome(realm, request, loginRequest);
    }
    ReturnTarget target = loginRequest.target();
    if (!target.origin().equals(realm.home()) && target.nonceHash().isEmpty()) {
      return EdgeReply.seeOther(target.origin() + link(target.origin(), loginRequest));
    }
    return choice
        .of(realm, request, loginRequest)
        .map(identityProvider -> start.begin(realm, request, loginRequest, identityProvider))
        .orElseGet(() -> EdgeReply.seeOther(DiscoveryEndpoint.link(realm, loginRequest)));
  }

  /**
   * Returns whether there is a session that fails the requirements only because of its age. Single sign-on would open
   * another session with the same age, so that the login must be a fresh one. If a person removes this demand from the
   * address, they get a session without the required age.
   */
  private boolean isTooOld(SpRealm realm, EdgeRequest request, LoginRequest loginRequest) {
    LoginRequirements requirements = loginRequest.requirements(realm);
    return !loginRequest.forceAuthn()
        && !requirements.demand().equals(SessionDemand.NONE)
        && session(realm, request).filter(requirements::isMetButForAge).isPresent();
  }

  private EdgeReply goHome(SpRealm realm, EdgeRequest request, LoginRequest loginRequest) {
    BrowserKey browser = BrowserKey.ofOrNew(realm, request, random);
    LoginRequest atHome = loginRequest.withTarget(loginRequest.target().withNonceHash(browser.hash()));
    return browser.rememberedBy(EdgeReply.seeOther(realm.home() + link(realm.home(), atHome)), request);
  }

  private Optional<AppSession> session(SpRealm realm, EdgeRequest request) {
    return sessions.ofBrowser(realm, request);
  }
}
