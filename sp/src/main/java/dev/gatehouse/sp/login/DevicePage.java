package dev.gatehouse.sp.login;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.KeyPage;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.device.DeviceEndpoints;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The page that stands for a moment between a person and the page that they asked for: its script makes a key that no script can
 * export, or proves the one that it made before. Without scripts the person goes on by a button, and only the fingerprint of the
 * browser counts.
 */
public final class DevicePage {

  static final String PATH = DeviceEndpoints.PREFIX + "proof";
  static final String SCRIPT = DeviceEndpoints.PREFIX + "proof.js";

  private static final String FORM = "device";
  private static final String SLOT = "device";

  private final AppSessions sessions;
  private final DeviceChallenges challenges;
  private final Pages pages;
  private final Refusals refusals;
  private final AuditLog audit;
  private final InstantSource time;

  public DevicePage(
      AppSessions sessions, DeviceChallenges challenges, Pages pages, Refusals refusals, AuditLog audit, InstantSource time) {
    this.sessions = sessions;
    this.challenges = challenges;
    this.pages = pages;
    this.refusals = refusals;
    this.audit = audit;
    this.time = time;
  }

  /** Returns the address of the page, from which a browser returns to that path. */
  public static String link(String path, String query) {
    return PATH + "?return=" + URLEncoder.encode(query.isEmpty() ? path : path + "?" + query, StandardCharsets.UTF_8);
  }

  EdgeReply script(SpRealm realm, EdgeRequest request) {
    return KeyPage.script();
  }

  EdgeReply handle(SpRealm realm, EdgeRequest request) {
    boolean posts = request.method().equals("POST");
    if (!posts && !request.method().equals("GET")) {
      return refusals.methodNotAllowed(realm, request, "GET, POST");
    }
    String asked = (posts ? request.formParameters() : request.queryParameters()).one("return").orElse("/");
    ReturnTarget target = ReturnTarget.local(request.origin(), asked);
    Optional<SessionToken> token = AppCookie.token(request);
    Optional<AppSession> session = token.flatMap(own -> sessions.load(realm.name(), own));
    if (session.isEmpty()) {
      return EdgeReply.seeOther(LoginEndpoint.link(request.origin(), LoginRequest.to(target)));
    }
    if (!posts) {
      return show(realm, request, token.get(), session.get(), target);
    }
    return CsrfToken.isIn(request, token.get(), FORM)
        ? withoutKey(realm, request, token.get(), session.get(), target)
        : refusals.page(realm, request, 403, "expired");
  }

  private EdgeReply show(SpRealm realm, EdgeRequest request, SessionToken token, AppSession session, ReturnTarget target) {
    // A browser that has lost the key cannot prove it again: only a fresh login helps.
    String login = LoginEndpoint.link(request.origin(), LoginRequest.to(target).anew());
    Optional<KeyPage.Mode> mode =
        switch (session.device().binding(token.id()).map(DeviceBinding::state).orElseGet(State.Unbound::new)) {
          case State.Unbound unbound -> Optional.of(KeyPage.Mode.CREATE);
          case State.Bound(Kind kind, String jwk, String thumbprint) when kind == Kind.WEB_CRYPTO -> Optional.of(KeyPage.Mode.PROVE);
          case State.Bound browsersOwn -> Optional.empty();
          case State.Keyless keyless -> Optional.empty();
        };
    if (mode.isEmpty()) {
      return EdgeReply.seeOther(target.path());
    }
    KeyPage page = new KeyPage(DeviceEndpoints.place(realm), SLOT, mode.get(), token, challenges.issue(realm.name(), token.id()));
    return pages.render(request, Optional.of(realm.realm()), page.to(target.path(), login, CsrfToken.of(token, FORM)));
  }

  /** A browser without scripts: only while it has shown no key, because a thief could say the same. */
  private EdgeReply withoutKey(SpRealm realm, EdgeRequest request, SessionToken token, AppSession session, ReturnTarget target) {
    Optional<DeviceBinding> before = session.device().binding(token.id());
    boolean unbound = before.filter(b -> !(b.state() instanceof State.Unbound)).isEmpty();
    if (unbound) {
      sessions
          .bind(session.id(), before, new DeviceBinding(token.id(), time.instant(), new State.Keyless()))
          .ifPresent(
              now ->
                  audit.record(
                      new AuditEvent.DeviceBound(
                          AuditEvent.Context.of(realm.name(), request.client()), now.id().value(), now.person().value(), "keyless")));
    }
    return EdgeReply.seeOther(target.path());
  }
}
