package dev.gatehouse.sp.device;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State.Bound;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Registration and refresh of keys. The browser itself calls {@link #REGISTRATION} and {@link #REFRESH} (Device Bound Session
 * Credentials); a page of ours calls {@link #KEY} for a key that it keeps by WebCrypto.
 */
public final class DeviceEndpoints {

  /** The prefix of the paths of keys, which need no cookie of a proved key. */
  public static final String PREFIX = SpPaths.PREFIX + "device/";
  static final String REGISTRATION = PREFIX + "registration";
  static final String REFRESH = PREFIX + "refresh";

  /** The path at which our page registers and proves its key. */
  public static final String KEY = PREFIX + "key";

  private static final EdgeReply NOBODY = new EdgeReply(401, Headers.empty(), new byte[0]);

  private final AppSessions sessions;
  private final DeviceProofs proofs;
  private final DeviceChallenges challenges;
  private final BoundCookies cookies;
  private final Refusals refusals;
  private final AuditLog audit;
  private final InstantSource time;

  /** Anybody may send proofs: of one session and reason one event is written in five minutes. */
  private final Cache<Audited, Boolean> audited =
      Caffeine.newBuilder().maximumSize(10_000).expireAfterWrite(Duration.ofMinutes(5)).executor(Runnable::run).build();

  private record Audited(SessionId session, ProofRefusal refusal) {}

  public DeviceEndpoints(
      AppSessions sessions,
      DeviceProofs proofs,
      DeviceChallenges challenges,
      BoundCookies cookies,
      Refusals refusals,
      AuditLog audit,
      InstantSource time) {
    this.sessions = sessions;
    this.proofs = proofs;
    this.challenges = challenges;
    this.cookies = cookies;
    this.refusals = refusals;
    this.audit = audit;
    this.time = time;
  }

  /** {@code Secure-Session-Registration}: the browser calls {@link #REGISTRATION} with a new key. */
  EdgeReply offered(SpRealm realm, EdgeReply reply, SessionId token) {
    return reply.with(
        "Secure-Session-Registration",
        "(ES256 RS256);path=\"" + REGISTRATION + "\";challenge=\"" + challenges.issue(realm.name(), token) + "\"");
  }

  EdgeReply register(SpRealm realm, EdgeRequest request) {
    return answered(realm, request, (token, session) -> bind(realm, request, token, session, Kind.DBSC));
  }

  EdgeReply refresh(SpRealm realm, EdgeRequest request) {
    return answered(realm, request, (token, session) -> renew(realm, request, token, session, Kind.DBSC));
  }

  /** The key of our page: a new one, or the proof of the one that is there. */
  EdgeReply key(SpRealm realm, EdgeRequest request) {
    return answered(
        realm,
        request,
        (token, session) ->
            session.device().binding(token).filter(DeviceBinding::isBound).isPresent()
                ? renew(realm, request, token, session, Kind.WEB_CRYPTO)
                : bind(realm, request, token, session, Kind.WEB_CRYPTO));
  }

  private interface Answer {
    EdgeReply of(SessionId token, AppSession session);
  }

  private EdgeReply answered(SpRealm realm, EdgeRequest request, Answer answer) {
    if (!request.method().equals("POST")) {
      return refusals.methodNotAllowed(realm, request, "POST");
    }
    Optional<SessionId> cookie = AppCookie.token(request).map(SessionToken::id);
    Optional<SessionId> named = named(realm, request);
    if (cookie.isPresent() && named.isPresent() && !cookie.equals(named)) {
      return sessions
          .look(realm.name(), cookie.get())
          .map(session -> refused(realm, request, session, ProofRefusal.OTHER_ADDRESSEE))
          .orElse(NOBODY);
    }
    Optional<SessionId> token = cookie.or(() -> named);
    // Any answer from 400 except 403 makes the browser forget its key. A refresh is no use of the session: browsers also do it ahead
    // of time, and whoever knows the id of a token could prolong its session.
    return token
        .flatMap(own -> sessions.look(realm.name(), own))
        .map(session -> answer.of(token.orElseThrow(), session))
        .orElse(NOBODY);
  }

  /**
   * Returns the token that the request names otherwise than by its cookie, which browsers leave out where another site caused the
   * request. The name alone opens nothing: the proof counts.
   */
  private Optional<SessionId> named(SpRealm realm, EdgeRequest request) {
    return request
        .headers()
        .first("Sec-Secure-Session-Id")
        .map(id -> new SessionId(id.replace("\"", "")))
        .or(() -> request.path().equals(REGISTRATION) ? proofs.challenged(realm.name(), request) : Optional.empty());
  }

  private EdgeReply bind(SpRealm realm, EdgeRequest request, SessionId token, AppSession session, Kind kind) {
    Optional<DeviceBinding> before = session.device().binding(token);
    if (before.filter(DeviceBinding::isBound).isPresent()) {
      return refused(realm, request, session, ProofRefusal.ALREADY_BOUND);
    }
    return switch (proofs.ofNewKey(realm.name(), request, token, kind)) {
      case Result.Refused(ProofRefusal refusal) -> refused(realm, request, session, refusal);
      case Result.Accepted(Bound bound) ->
          sessions
              .bind(session.id(), before, new DeviceBinding(token, time.instant(), bound))
              .map(
                  now -> {
                    audit.record(
                        new AuditEvent.DeviceBound(
                            context(realm, request), now.id().value(), now.person().value(), kind.name().toLowerCase(Locale.ROOT)));
                    return proved(realm, request, token, bound);
                  })
              .orElseGet(() -> refused(realm, request, session, ProofRefusal.ALREADY_BOUND));
    };
  }

  private EdgeReply renew(SpRealm realm, EdgeRequest request, SessionId token, AppSession session, Kind kind) {
    Optional<Bound> bound =
        session
            .device()
            .binding(token)
            .flatMap(b -> b.state() instanceof Bound known && known.kind() == kind ? Optional.of(known) : Optional.empty());
    if (bound.isEmpty()) {
      return refused(realm, request, session, ProofRefusal.NOT_BOUND);
    }
    if (!DeviceProofs.isIn(request)) {
      return new EdgeReply(403, Headers.empty(), new byte[0])
          .with("Secure-Session-Challenge", "\"" + challenges.issue(realm.name(), token) + "\";id=\"" + token.value() + "\"");
    }
    return proofs
        .ofKey(realm.name(), request, token, bound.get())
        .map(refusal -> refused(realm, request, session, refusal))
        .orElseGet(() -> proved(realm, request, token, bound.get()));
  }

  /** The short-lived cookie, and the instructions for the browser ("JSON Session Instruction Format"). */
  private EdgeReply proved(SpRealm realm, EdgeRequest request, SessionId token, Bound bound) {
    String name = Cookies.name(request.origin(), BoundCookies.NAME);
    // A page of another site may cause the refresh, and could then set no cookie with SameSite=Lax. This cookie counts beside that of
    // the session only, which is Lax.
    String attributes = "Path=/; HttpOnly; " + (request.origin().isSecure() ? "SameSite=None; Secure" : "SameSite=Lax");
    Map<String, Object> instructions =
        Map.of(
            "session_identifier", token.value(),
            "refresh_url", REFRESH,
            // A link of another site must renew the cookie, too.
            "allowed_refresh_initiators", List.of("*"),
            "scope",
                Map.of(
                    "include_site", false,
                    "scope_specification", List.of(Map.of("type", "exclude", "domain", "*", "path", PREFIX))),
            "credentials", List.of(Map.of("type", "cookie", "name", name, "attributes", attributes)));
    String value = cookies.issue(realm.name(), token, bound.thumbprint(), time.instant());
    return EdgeReply.of(200, "application/json", StrictJson.write(instructions))
        .with("Set-Cookie", name + "=" + value + "; " + attributes + "; Max-Age=" + BoundCookies.RENEWED_AFTER.toSeconds());
  }

  private EdgeReply refused(SpRealm realm, EdgeRequest request, AppSession session, ProofRefusal refusal) {
    if (audited.asMap().putIfAbsent(new Audited(session.id(), refusal), true) == null) {
      audit.record(
          new AuditEvent.DeviceDiffers(
              context(realm, request), session.id().value(), session.person().value(), refusal.word(), "refused"));
    }
    return EdgeReply.of(400, "application/json", StrictJson.write(Map.of("error", refusal.word())));
  }

  private static AuditEvent.Context context(SpRealm realm, EdgeRequest request) {
    return AuditEvent.Context.of(realm.name(), request.client());
  }
}
