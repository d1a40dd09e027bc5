package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.SignOnContract;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads {@code contract} of a route, and the keys that belong to it. Other checks ensure that no password crosses a network in
 * clear text: the sp's origins are https, or loopback.
 */
final class SignOnYaml {

  private enum Kind {
    FORM,
    BASIC,
    CERTIFICATE
  }

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
    Kind kind =
        route.read(
            "contract",
            Kind.FORM,
            v -> v.choice(Map.of("form", Kind.FORM, "basic", Kind.BASIC, "certificate", Kind.CERTIFICATE)));
    Duration cache =
        route.read("passwordCache", SignOnContract.Basic.USUAL_CACHE, v -> v.duration(Duration.ZERO, Duration.ofDays(1)));
    if (kind != Kind.BASIC && route.has("passwordCache")) {
      route.problem("passwordCache", "has no use without contract: basic", "remove it, or write contract: basic");
    }
    if (kind == Kind.FORM) {
      return SignOnContract.FORM;
    }
    String written = kind == Kind.BASIC ? "basic" : "certificate";
    if (access instanceof Access.Public) {
      route.problem("contract", "stands on a public route, where nobody logs in", "remove it");
    }
    Stream.of("bearer", "identityProvider", "authnContext", "replayPosts")
        .filter(route::has)
        .forEach(key -> route.problem(key, "has no use with contract: " + written, "remove it, or write contract: form"));
    if (!directory) {
      route.problem("contract", written + " needs people to compare with", "configure the realm's directory");
    }
    if (kind == Kind.CERTIFICATE && !certificates) {
      route.problem(
          "contract", "certificate needs to know whose certificates are", "configure idp.contracts.certificate");
    } else if (kind == Kind.CERTIFICATE && !origins.isEmpty() && origins.stream().noneMatch(Origin::isSecure)) {
      route.problem(
          "contract", "certificate needs TLS, and no origin of the route has any", "give it a host with an https origin");
    }
    return kind == Kind.BASIC ? new SignOnContract.Basic(cache) : new SignOnContract.Certificate();
  }
}
