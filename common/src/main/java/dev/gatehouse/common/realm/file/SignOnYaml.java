package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.common.realm.SignOnContract;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads {@code contract} and {@code session} of a route, and the keys that belong to them. Other checks ensure that no password
 * crosses a network in clear text: the sp's origins are https, or loopback.
 */
final class SignOnYaml {

  /** A way to log in. */
  enum Kind {
    FORM,
    BASIC,
    CERTIFICATE
  }

  static final Section SESSION = new Section();
  private static final Key<Duration> IDLE =
      SESSION.key("idle", Type.duration("1s", "1d"), "e.g. 10m", "A session that is not used for this time needs a new login.");
  private static final Key<Duration> ABSOLUTE =
      SESSION.key("absolute", Type.duration("1s", "30d"), "e.g. 1h", "A session older than this needs a new login.");
  private static final Key<SessionAssurance> ASSURANCE =
      SESSION.key(
          "assurance", Type.choice(SessionAssurance.class), "e.g. enforce",
          "Whether a session counts at the device of its login only; as `sp.session` says unless configured.");

  private final YamlSection route;
  private final Access access;
  private final Set<Origin> origins;
  private final boolean directory;
  private final boolean certificates;

  /**
   * Creates a reader.
   *
   * @param origins of the route
   * @param directory whether the realm has one
   * @param certificates whether the realm configures login by certificate
   */
  SignOnYaml(YamlSection route, Access access, Set<Origin> origins, boolean directory, boolean certificates) {
    this.route = route;
    this.access = access;
    this.origins = origins;
    this.directory = directory;
    this.certificates = certificates;
  }

  SignOnContract read() {
    Kind kind = route.get(RouteKeys.CONTRACT);
    Duration cache = route.get(RouteKeys.PASSWORD_CACHE);
    if (kind != Kind.BASIC && route.has(RouteKeys.PASSWORD_CACHE)) {
      route.problem(RouteKeys.PASSWORD_CACHE, "has no effect without contract: basic", "remove it, or write contract: basic");
    }
    if (kind == Kind.FORM) {
      return SignOnContract.FORM;
    }
    String written = kind == Kind.BASIC ? "basic" : "certificate";
    if (access instanceof Access.Public) {
      route.problem(RouteKeys.CONTRACT, "stands on a public route, where nobody logs in", "remove it");
    }
    Stream.of(RouteKeys.BEARER, RouteKeys.IDENTITY_PROVIDER, RouteKeys.AUTHN_CONTEXT, RouteKeys.REPLAY_POSTS)
        .filter(route::has)
        .forEach(key -> route.problem(key, "has no effect with contract: " + written, "remove it, or write contract: form"));
    if (!directory) {
      route.problem(RouteKeys.CONTRACT, written + " needs a directory of people", "configure the realm's directory");
    }
    if (kind == Kind.CERTIFICATE && !certificates) {
      route.problem(
          RouteKeys.CONTRACT, "certificate needs the rules that map certificates to people", "configure idp.contracts.certificate");
    } else if (kind == Kind.CERTIFICATE && !origins.isEmpty() && origins.stream().noneMatch(Origin::isSecure)) {
      route.problem(
          RouteKeys.CONTRACT, "certificate needs TLS, and no origin of the route has any", "give it a host with an https origin");
    }
    return kind == Kind.BASIC ? new SignOnContract.Basic(cache) : new SignOnContract.Certificate();
  }

  /** Returns how fresh the session must be. */
  SessionDemand session() {
    if (!route.has(RouteKeys.SESSION)) {
      return SessionDemand.NONE;
    }
    YamlSection section = route.sectionOrEmpty(RouteKeys.SESSION);
    Optional<Duration> idle = section.find(IDLE);
    Optional<Duration> absolute = section.find(ABSOLUTE);
    if (!section.has(IDLE) && !section.has(ABSOLUTE) && !section.has(ASSURANCE)) {
      route.problem(RouteKeys.SESSION, "is empty", "write idle, absolute or assurance, or remove it");
    }
    if (access instanceof Access.Public || route.has(RouteKeys.BEARER)) {
      String place = access instanceof Access.Public ? "a public route" : "a route that takes access tokens";
      route.problem(RouteKeys.SESSION, "stands on " + place + ", which has no sessions", "remove it");
    }
    if (idle.isPresent() && absolute.filter(limit -> limit.compareTo(idle.get()) < 0).isPresent()) {
      section.problem(IDLE, "is longer than absolute, and so has no effect", "write a shorter time, or remove it");
    }
    return new SessionDemand(idle, absolute);
  }

  /** Returns whether the session must be used at the device of its login. */
  Optional<SessionAssurance> assurance(SignOnContract contract) {
    if (!route.has(RouteKeys.SESSION)) {
      return Optional.empty();
    }
    YamlSection section = route.sectionOrEmpty(RouteKeys.SESSION);
    Optional<SessionAssurance> assurance = section.find(ASSURANCE);
    if (section.has(ASSURANCE) && !(contract instanceof SignOnContract.Form)) {
      section.problem(ASSURANCE, "needs contract: form: other clients prove themselves with every request", "remove it");
    }
    return assurance;
  }
}
