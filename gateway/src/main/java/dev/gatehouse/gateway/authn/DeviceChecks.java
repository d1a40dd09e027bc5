package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.DeviceDifferences;
import dev.gatehouse.common.device.DeviceReason;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.sp.session.AppSession;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Checks that a session's request comes from the device of its login: by its fingerprint, and by the key that its browser proved in
 * the last minutes. Never blocks, except {@link #record}.
 */
public final class DeviceChecks {

  /** A browser registers its key by itself within this time; only then a page of ours asks for one. */
  private static final Duration REGISTRATION = Duration.ofMinutes(1);

  /** Requests that were under way when the key was registered have no cookie of it yet. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(10);

  private static final byte[] PLAIN = Ascii.bytes(BoundCookies.NAME + "=");
  private static final byte[] SECURE = Ascii.bytes("__Host-" + BoundCookies.NAME + "=");

  /** The result of a check. */
  public sealed interface Verdict {
    record Same() implements Verdict {}

    /** A page of ours can ask the browser for a proof. */
    record Prove(DeviceReason reason) implements Verdict {}

    record Differs(DeviceReason reason) implements Verdict {}
  }

  private static final Verdict SAME = new Verdict.Same();

  private final BoundCookies cookies;
  private final DeviceDifferences differences;

  public DeviceChecks(BoundCookies cookies, AuditLog audit, MeterRegistry metrics) {
    this.cookies = cookies;
    this.differences =
        new DeviceDifferences(
            audit,
            (reason, outcome) ->
                Counter.builder("gatehouse.gateway.devices.different")
                    .description("Requests that were not of the device of their session")
                    .tag("reason", reason)
                    .tag("outcome", outcome)
                    .register(metrics));
  }

  /** @param token the id of the token that the request has, which is not the session's at its other origins */
  public Verdict check(
      DeviceMemo memo, String realm, Origin at, RequestHead head, SessionId token, AppSession session, Instant now) {
    Optional<Fingerprint> login = session.device().fingerprint();
    if (login.isPresent()) {
      // What was accepted for another request may be too different for a navigation, of which more is compared.
      long digest = FingerprintFields.digest(head.fields());
      if (!memo.isAccepted(session, digest)) {
        boolean isNavigation = FingerprintFields.isNavigation(head.fields());
        if (login.get().difference(FingerprintFields.of(head.fields(), memo.clientHello()), isNavigation) >= Fingerprint.DIFFERENT) {
          return new Verdict.Differs(DeviceReason.FINGERPRINT_DIFFERS);
        }
        memo.accept(session, digest);
      }
    }
    DeviceBinding binding = session.device().binding(token).orElse(null);
    if (binding == null) {
      // The session began while nothing was checked.
      return proof(head, DeviceReason.KEY_MISSING);
    }
    return switch (binding.state()) {
      case State.Keyless keyless -> SAME;
      case State.Unbound unbound -> unbound(head, binding.since(), now);
      case State.Bound bound -> bound(memo, realm, at, head, token, binding.since(), bound, now);
    };
  }

  private static Verdict unbound(RequestHead head, Instant since, Instant now) {
    if (now.isBefore(since.plus(REGISTRATION))) {
      return SAME;
    }
    return isPage(head) || !now.isBefore(since.plus(BoundCookies.LIFE)) ? proof(head, DeviceReason.KEY_MISSING) : SAME;
  }

  private Verdict bound(
      DeviceMemo memo, String realm, Origin at, RequestHead head, SessionId token, Instant since, State.Bound bound, Instant now) {
    Optional<CookieValue> sent = SessionCookie.value(head.fields(), at.isSecure() ? SECURE : PLAIN);
    if (sent.isPresent()) {
      if (memo.isProved(token, sent.get(), now)) {
        return SAME;
      }
      Optional<Instant> end = cookies.end(realm, token, bound.thumbprint(), sent.get().text(), now);
      if (end.isPresent()) {
        memo.proved(token, sent.get(), end.get());
        return SAME;
      }
    }
    if (now.isBefore(since.plus(UNDER_WAY))) {
      return SAME;
    }
    return bound.kind() == Kind.WEB_CRYPTO ? proof(head, DeviceReason.KEY_NOT_PROVED) : new Verdict.Differs(DeviceReason.KEY_NOT_PROVED);
  }

  private static Verdict proof(RequestHead head, DeviceReason reason) {
    return isPage(head) ? new Verdict.Prove(reason) : new Verdict.Differs(reason);
  }

  /** Returns whether the request loads a page in place of the present one, so that a page of ours may come first. */
  private static boolean isPage(RequestHead head) {
    if (!head.method().equals("GET") || !FingerprintFields.isNavigation(head.fields())) {
      return false;
    }
    String destination = FingerprintFields.destination(head.fields());
    return destination.isEmpty() || destination.equals("document");
  }

  /** Counts a request that is not of the session's device; returns whether it is to be recorded too, at a bounded rate. */
  public boolean count(AppSession session, DeviceReason reason, boolean enforced) {
    return differences.count(session.id(), reason, enforced);
  }

  /** Records in the audit log that a request was not of the session's device. Blocks. */
  public void record(AddressedHost to, AppSession session, DeviceReason reason, boolean enforced) {
    AuditEvent.Context context = AuditEvent.Context.of(to.site().realm().name(), to.client());
    differences.record(context, session.id(), session.person(), reason, enforced);
  }
}
