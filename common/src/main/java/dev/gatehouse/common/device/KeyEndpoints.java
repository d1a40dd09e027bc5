package dev.gatehouse.common.device;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State.Bound;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Registration and refresh of keys, for the sessions of one kind. The browser itself calls {@link #register} and {@link #refresh} (Device
 * Bound Session Credentials); a page of ours calls {@link #key} for a key that it keeps by WebCrypto.
 */
public final class KeyEndpoints {

  /** No limit: a session takes a key at any time. */
  public static final Duration UNLIMITED = Duration.ofSeconds(Long.MAX_VALUE);

  private static final EdgeReply NOBODY = new EdgeReply(401, Headers.empty(), new byte[0]);
  private static final Duration UNDER_WAY = Duration.ofSeconds(10);
  private static final int MAX_REMEMBERED = 10_000;
  private static final Duration BETWEEN_AUDITS = Duration.ofMinutes(5);

  private final BindableSession.Sessions sessions;
  private final DeviceProofs proofs;
  private final DeviceChallenges challenges;
  private final BoundCookies cookies;
  private final AuditLog audit;
  private final InstantSource time;
  private final Duration bindableFor;

  /** Anybody may send proofs: of one session and reason one event is written in five minutes. */
  private final Cache<Audited, Boolean> audited =
      Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).expireAfterWrite(BETWEEN_AUDITS).executor(Runnable::run).build();

  private record Audited(SessionId session, ProofRefusal refusal) {}

  /** @param bindableFor the time after the login in which a token takes a key */
  public KeyEndpoints(
      BindableSession.Sessions sessions,
      DeviceProofs proofs,
      DeviceChallenges challenges,
      BoundCookies cookies,
      AuditLog audit,
      InstantSource time,
      Duration bindableFor) {
    this.sessions = sessions;
    this.proofs = proofs;
    this.challenges = challenges;
    this.cookies = cookies;
    this.audit = audit;
    this.time = time;
    this.bindableFor = bindableFor;
  }

  /** Registers a key that the browser itself keeps. */
  public EdgeReply register(KeyPlace place, EdgeRequest request, Optional<SessionId> cookie) {
    Optional<ReceivedJwt> proof = DeviceProofs.newKey(request);
    Optional<SessionId> named = named(request).or(() -> proof.flatMap(jwt -> proofs.challenged(place.realm(), jwt)));
    return answered(place, request, cookie, named, (token, session) -> bind(place, request, proof, token, session, Kind.DBSC));
  }

  /** Renews the short-lived cookie by a proof of that key. */
  public EdgeReply refresh(KeyPlace place, EdgeRequest request, Optional<SessionId> cookie) {
    return answered(place, request, cookie, named(request), (token, session) -> renew(place, request, token, session, Kind.DBSC));
  }

  /** The key of our page: a new one, or the proof of the one that is there. */
  public EdgeReply key(KeyPlace place, EdgeRequest request, Optional<SessionId> cookie) {
    return answered(
        place,
        request,
        cookie,
        named(request),
        (token, session) ->
            session.device().binding(token).filter(DeviceBinding::isBound).isPresent()
                ? renew(place, request, token, session, Kind.WEB_CRYPTO)
                : bind(place, request, DeviceProofs.newKey(request), token, session, Kind.WEB_CRYPTO));
  }

  private interface Answer {
    EdgeReply of(SessionId token, BindableSession session);
  }

  private EdgeReply answered(
      KeyPlace place, EdgeRequest request, Optional<SessionId> cookie, Optional<SessionId> named, Answer answer) {
    if (cookie.isPresent() && named.isPresent() && !cookie.equals(named)) {
      return sessions
          .look(place.realm(), cookie.get())
          .map(session -> refused(place, request, session, ProofRefusal.OTHER_ADDRESSEE))
          .orElse(NOBODY);
    }
    Optional<SessionId> token = cookie.or(() -> named);
    // Any answer from 400 except 403 makes the browser forget its key. A refresh is no use of the session: browsers also do it ahead
    // of time, and whoever knows the id of a token could prolong its session.
    return token
        .flatMap(own -> sessions.look(place.realm(), own))
        .map(session -> answer.of(token.orElseThrow(), session))
        .orElse(NOBODY);
  }

  /**
   * Returns the token that the request names otherwise than by its cookie, which browsers leave out where another site caused the
   * request. The name alone opens nothing: the proof counts.
   */
  private static Optional<SessionId> named(EdgeRequest request) {
    return request.headers().first("Sec-Secure-Session-Id").map(id -> new SessionId(id.replace("\"", "")));
  }

  private EdgeReply bind(
      KeyPlace place, EdgeRequest request, Optional<ReceivedJwt> proof, SessionId token, BindableSession session, Kind kind) {
    Optional<DeviceBinding> before = session.device().binding(token);
    Optional<Bound> key = before.flatMap(DeviceBinding::key);
    // The browser of the login may replace the key of our page, which was faster, by one that it keeps itself.
    boolean improves =
        kind == Kind.DBSC
            && key.filter(k -> k.kind() == Kind.WEB_CRYPTO).isPresent()
            && proof.filter(DeviceProofs::isInvited).isPresent();
    if (key.isPresent() && !improves) {
      return refused(place, request, session, ProofRefusal.ALREADY_BOUND);
    }
    Instant now = time.instant();
    if (before.filter(binding -> !now.isBefore(end(binding))).isPresent()) {
      return refused(place, request, session, ProofRefusal.TOO_LATE);
    }
    if (proof.isEmpty()) {
      return refused(place, request, session, ProofRefusal.UNREADABLE);
    }
    return switch (proofs.ofNewKey(place.realm(), request, proof.get(), token, kind)) {
      case Result.Refused(ProofRefusal refusal) -> refused(place, request, session, refusal);
      case Result.Accepted(Bound bound) ->
          sessions
              .bind(session.id(), before, new DeviceBinding(token, now, bound))
              .map(
                  changed -> {
                    audit.record(
                        new AuditEvent.DeviceBound(
                            context(place, request), changed.id().value(), changed.person().value(), kind.name().toLowerCase(Locale.ROOT)));
                    return proved(place, request, token, bound);
                  })
              .orElseGet(() -> afterRace(place, request, token, session, bound));
    };
  }

  private Instant end(DeviceBinding binding) {
    return bindableFor.equals(UNLIMITED) ? Instant.MAX : binding.since().plus(bindableFor);
  }

  /** Two pages of one browser register the same key at once. */
  private EdgeReply afterRace(KeyPlace place, EdgeRequest request, SessionId token, BindableSession session, Bound bound) {
    return sessions
        .look(place.realm(), token)
        .flatMap(now -> now.device().binding(token))
        .filter(binding -> binding.state().equals(bound) && bound.kind() == Kind.WEB_CRYPTO)
        .map(binding -> proved(place, request, token, bound))
        .orElseGet(() -> refused(place, request, session, ProofRefusal.ALREADY_BOUND));
  }

  private EdgeReply renew(KeyPlace place, EdgeRequest request, SessionId token, BindableSession session, Kind kind) {
    Optional<DeviceBinding> binding = session.device().binding(token);
    Optional<Bound> known = binding.flatMap(DeviceBinding::key);
    Optional<Bound> bound = known.filter(key -> key.kind() == kind);
    if (bound.isEmpty()) {
      return kind == Kind.WEB_CRYPTO && known.isPresent()
          ? ofBrowsersKey(place, request, session, binding.orElseThrow(), known.get())
          : refused(place, request, session, ProofRefusal.NOT_BOUND);
    }
    if (!DeviceProofs.isIn(request)) {
      return new EdgeReply(403, Headers.empty(), new byte[0])
          .with("Secure-Session-Challenge", "\"" + challenges.issue(place.realm(), token) + "\";id=\"" + token.value() + "\"");
    }
    return proofs
        .ofKey(place.realm(), request, token, bound.get(), session.device().fingerprint())
        .map(refusal -> refused(place, request, session, refusal))
        .orElseGet(() -> proved(place, request, token, bound.get()));
  }

  /** The browser was faster than our page with a key of its own. */
  private EdgeReply ofBrowsersKey(KeyPlace place, EdgeRequest request, BindableSession session, DeviceBinding binding, Bound key) {
    if (isProved(place, request, binding.token(), key)) {
      return EdgeReply.of(200, "application/json", StrictJson.write(Map.of()));
    }
    // The answer to its registration, with the cookie, may still be under way: the page asks again.
    return time.instant().isBefore(binding.since().plus(UNDER_WAY))
        ? new EdgeReply(409, Headers.empty(), new byte[0])
        : refused(place, request, session, ProofRefusal.NOT_BOUND);
  }

  private boolean isProved(KeyPlace place, EdgeRequest request, SessionId token, Bound key) {
    return request
        .cookie(Cookies.name(request.origin(), place.cookie()))
        .flatMap(value -> cookies.end(place.realm(), token, key.thumbprint(), value, time.instant()))
        .isPresent();
  }

  /** The short-lived cookie, and the instructions for the browser ("JSON Session Instruction Format"). */
  private EdgeReply proved(KeyPlace place, EdgeRequest request, SessionId token, Bound bound) {
    String name = Cookies.name(request.origin(), place.cookie());
    // A page of another site may cause the refresh, and could then set no cookie with SameSite=Lax. This cookie counts beside that of
    // the session only, which is Lax.
    String attributes = "Path=/; HttpOnly; " + (request.origin().isSecure() ? "SameSite=None; Secure" : "SameSite=Lax");
    Map<String, Object> instructions =
        Map.of(
            "session_identifier", token.value(),
            "refresh_url", place.refresh(),
            // A link of another site must renew the cookie, too.
            "allowed_refresh_initiators", List.of("*"),
            "scope", Map.of("include_site", false, "scope_specification", scope(place)),
            "credentials", List.of(Map.of("type", "cookie", "name", name, "attributes", attributes)));
    String value = cookies.issue(place.realm(), token, bound.thumbprint(), time.instant());
    return EdgeReply.of(200, "application/json", StrictJson.write(instructions))
        .with("Set-Cookie", name + "=" + value + "; " + attributes + "; Max-Age=" + BoundCookies.RENEWED_AFTER.toSeconds());
  }

  /** The last rule that matches counts. */
  private static List<Map<String, Object>> scope(KeyPlace place) {
    List<Map<String, Object>> rules = new ArrayList<>();
    if (!place.scope().equals("/")) {
      rules.add(rule("exclude", "/"));
      rules.add(rule("include", place.scope()));
    }
    rules.add(rule("exclude", place.prefix()));
    return rules;
  }

  private static Map<String, Object> rule(String type, String path) {
    return Map.of("type", type, "domain", "*", "path", path);
  }

  private EdgeReply refused(KeyPlace place, EdgeRequest request, BindableSession session, ProofRefusal refusal) {
    if (audited.asMap().putIfAbsent(new Audited(session.id(), refusal), true) == null) {
      audit.record(
          new AuditEvent.DeviceDiffers(
              context(place, request), session.id().value(), session.person().value(), refusal.word(), "refused"));
    }
    return EdgeReply.of(400, "application/json", StrictJson.write(Map.of("error", refusal.word())));
  }

  private static AuditEvent.Context context(KeyPlace place, EdgeRequest request) {
    return AuditEvent.Context.of(place.realm(), request.client());
  }
}
