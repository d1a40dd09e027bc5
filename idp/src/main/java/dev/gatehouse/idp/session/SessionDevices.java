package dev.gatehouse.idp.session;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceDifferences;
import dev.gatehouse.common.device.DeviceReason;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.device.KeyPlace;
import dev.gatehouse.common.device.SessionDevice;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The devices of IdpSessions: taken at the login, compared at each request of a browser. No check reads a store: fingerprint and key
 * stand in the session, and the browser's cookie tells that it proved the key lately.
 */
public final class SessionDevices {

  /** A session takes a key within this time after its login, and counts without one no longer. */
  public static final Duration BINDABLE = BoundCookies.LIFE;

  /** Requests that were under way when the key was registered have no cookie of it yet. */
  private static final Duration UNDER_WAY = Duration.ofSeconds(10);

  private final BoundCookies cookies;
  private final DeviceChallenges challenges;
  private final DeviceDifferences differences;
  private final InstantSource clock;

  public SessionDevices(
      BoundCookies cookies, DeviceChallenges challenges, AuditLog audit, Optional<MeterRegistry> metrics, InstantSource clock) {
    this.cookies = cookies;
    this.challenges = challenges;
    MeterRegistry registry = metrics.orElseGet(SimpleMeterRegistry::new);
    this.differences =
        new DeviceDifferences(
            audit,
            (reason, outcome) ->
                Counter.builder("gatehouse.idp.devices.different")
                    .description("Requests to the identity provider that were not of the device of their session")
                    .tag("reason", reason)
                    .tag("outcome", outcome)
                    .register(registry));
    this.clock = clock;
  }

  /** Returns the device of the browser that gets this token: nothing of it is kept where nothing is checked. */
  SessionDevice begin(RealmRequest request, SessionId token, Instant now) {
    return assurance(request) == SessionAssurance.OFF
        ? SessionDevice.NONE
        : new SessionDevice(Optional.of(Fingerprint.of(request.http())), List.of(DeviceBinding.begin(token, now)));
  }

  /** Returns the invitation for the browser to register a key of its own. Browsers heed it on https only. */
  Optional<String> invitation(RealmRequest request, IdpSession session) {
    return session.device().bindings().isEmpty() || !request.origin().isSecure()
        ? Optional.empty()
        : Optional.of(challenges.invitation(DeviceKeys.place(request), session.id()));
  }

  /** Returns whether new sessions pass our page first, whose script makes a key. */
  static boolean demandsKey(RealmRequest request) {
    return assurance(request) == SessionAssurance.ENFORCE;
  }

  /** Returns whether the session counts for the request. One that is not of its device is counted, and recorded in the audit log. */
  boolean counts(RealmRequest request, IdpSession session) {
    SessionAssurance assurance = assurance(request);
    if (assurance == SessionAssurance.OFF) {
      return true;
    }
    boolean enforced = assurance == SessionAssurance.ENFORCE;
    Optional<DeviceReason> reason = difference(request, session);
    if (reason.isEmpty()) {
      return true;
    }
    // Our page asks for a proof first: that the time is over is no event.
    boolean waits = enforced && waitsForProof(request, session);
    if (!waits && differences.count(session.id(), reason.get(), enforced)) {
      differences.record(request.context(), session.id(), session.person(), reason.get(), enforced);
    }
    return !enforced;
  }

  /** Returns whether the session would count if the browser proved the key that our page made, and the page can come first. */
  boolean waitsForProof(RealmRequest request, IdpSession session) {
    return demandsKey(request)
        && isPage(request)
        && difference(request, session).filter(DeviceReason.KEY_NOT_PROVED::equals).isPresent()
        && binding(session).flatMap(DeviceBinding::key).filter(key -> key.kind() == Kind.WEB_CRYPTO).isPresent();
  }

  private Optional<DeviceReason> difference(RealmRequest request, IdpSession session) {
    Optional<Fingerprint> login = session.device().fingerprint();
    if (login.isPresent()
        && login.get().difference(Fingerprint.of(request.http()), request.http().isNavigation()) >= Fingerprint.DIFFERENT) {
      return Optional.of(DeviceReason.FINGERPRINT_DIFFERS);
    }
    Instant now = clock.instant();
    Optional<DeviceBinding> binding = binding(session);
    Instant since = binding.map(DeviceBinding::since).orElse(session.createdAt());
    return switch (binding.map(DeviceBinding::state).orElseGet(State.Unbound::new)) {
      case State.Keyless keyless -> Optional.empty();
      case State.Unbound unbound -> now.isBefore(since.plus(BINDABLE)) ? Optional.empty() : Optional.of(DeviceReason.KEY_MISSING);
      case State.Bound bound ->
          isProved(request, session, bound, now) || now.isBefore(since.plus(UNDER_WAY))
              ? Optional.empty()
              : Optional.of(DeviceReason.KEY_NOT_PROVED);
    };
  }

  private boolean isProved(RealmRequest request, IdpSession session, State.Bound key, Instant now) {
    KeyPlace place = DeviceKeys.place(request);
    return request
        .http()
        .cookie(Cookies.name(request.origin(), place.cookie()))
        .flatMap(value -> cookies.end(place.realm(), session.id(), key.thumbprint(), value, now))
        .isPresent();
  }

  private static Optional<DeviceBinding> binding(IdpSession session) {
    return session.device().binding(session.id());
  }

  /** Returns whether the request loads a page in place of the present one. */
  private static boolean isPage(RealmRequest request) {
    return request.http().isNavigation()
        && request.http().headers().first("Sec-Fetch-Dest").filter(to -> !to.equals("document")).isEmpty();
  }

  private static SessionAssurance assurance(RealmRequest request) {
    return request.idp().session().assurance();
  }
}
