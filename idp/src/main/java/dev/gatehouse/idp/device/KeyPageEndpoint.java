package dev.gatehouse.idp.device;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.KeyPage;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.LoginEndpoint;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.SessionDevices;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The page between a login and what comes next: its script makes a key that no script can export, or proves the one that it made before.
 * Without scripts the person goes on by a button, and only the fingerprint of the browser counts.
 */
final class KeyPageEndpoint implements Endpoint {

  private static final String FORM = "device";
  private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]+");

  private final IdpSessions sessions;
  private final DeviceChallenges challenges;
  private final Pages pages;
  private final Refusals refusals;
  private final AuditLog audit;
  private final InstantSource clock;

  KeyPageEndpoint(
      IdpSessions sessions, DeviceChallenges challenges, Pages pages, Refusals refusals, AuditLog audit, InstantSource clock) {
    this.sessions = sessions;
    this.challenges = challenges;
    this.pages = pages;
    this.refusals = refusals;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    boolean shows = request.http().isGet();
    String target = target(request, (shows ? request.http().queryParameters() : request.http().formParameters()).one("return"));
    Optional<SessionToken> token = sessions.token(request);
    Optional<IdpSession> session = sessions.sent(request);
    if (token.isEmpty() || session.isEmpty()) {
      return EdgeReply.seeOther(target);
    }
    if (shows) {
      return show(request, token.get(), session.get(), target);
    }
    return CsrfToken.isIn(request.http(), token.get(), FORM)
        ? withoutKey(request, session.get(), target)
        : refusals.page(request, 403, "cross-site", "CSRF");
  }

  private EdgeReply show(RealmRequest request, SessionToken token, IdpSession session, String target) {
    Optional<KeyPage.Mode> mode =
        switch (binding(session).map(DeviceBinding::state).orElseGet(State.Keyless::new)) {
          case State.Unbound unbound when isInTime(session) -> Optional.of(KeyPage.Mode.CREATE);
          case State.Unbound late -> Optional.empty();
          case State.Bound(Kind kind, String jwk, String thumbprint) when kind == Kind.WEB_CRYPTO -> Optional.of(KeyPage.Mode.PROVE);
          case State.Bound browsersOwn -> Optional.empty();
          case State.Keyless keyless -> Optional.empty();
        };
    if (mode.isEmpty()) {
      return EdgeReply.seeOther(target);
    }
    String realm = request.realm().name();
    KeyPage page =
        new KeyPage(DeviceKeys.place(request), "session." + realm, mode.get(), token, challenges.issue(realm, token.id()));
    // A browser that has lost the key cannot prove it again: only a fresh login helps.
    boolean passive = request.http().queryParameters().one(DeviceKeys.PASSIVE).isPresent();
    String login = passive ? target : LoginEndpoint.formAddress(request, pending(target));
    return pages.render(request.http(), Optional.of(request.realm()), page.to(target, login, CsrfToken.of(token, FORM)));
  }

  /** A browser without scripts: only while it has shown no key, because a thief could say the same. */
  private EdgeReply withoutKey(RealmRequest request, IdpSession session, String target) {
    Optional<DeviceBinding> before =
        binding(session).filter(known -> known.state() instanceof State.Unbound && isInTime(session));
    if (before.isPresent()) {
      sessions
          .bind(session.id(), before, new DeviceBinding(session.id(), clock.instant(), new State.Keyless()))
          .ifPresent(
              now ->
                  audit.record(
                      new AuditEvent.DeviceBound(request.context(), now.id().value(), now.person().value(), "keyless")));
    }
    return EdgeReply.seeOther(target);
  }

  private boolean isInTime(IdpSession session) {
    return binding(session).filter(known -> clock.instant().isBefore(known.since().plus(SessionDevices.BINDABLE))).isPresent();
  }

  private static Optional<DeviceBinding> binding(IdpSession session) {
    return session.device().binding(session.id());
  }

  /** The key of the sign-on that waits at that path. */
  private static Optional<String> pending(String target) {
    int query = target.indexOf('?');
    try {
      return query < 0 ? Optional.empty() : Parameters.parse(target.substring(query + 1)).one("pending").filter(KEY.asMatchPredicate());
    } catch (Parameters.Malformed e) {
      return Optional.empty();
    }
  }

  /** A path of this realm, whatever the browser sent. */
  private static String target(RealmRequest request, Optional<String> asked) {
    return asked
        .filter(path -> path.startsWith(request.here("")))
        .filter(path -> path.chars().allMatch(c -> c > ' ' && c < 127 && c != '\\' && c != '"'))
        .orElseGet(() -> request.here("account"));
  }
}
