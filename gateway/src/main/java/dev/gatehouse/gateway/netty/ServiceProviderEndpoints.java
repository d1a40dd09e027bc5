package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.ServiceProvider;
import java.util.Optional;

/** The service provider's endpoints on every host of a realm: nothing at or below their prefix ever goes to an app. */
final class ServiceProviderEndpoints {

  /** What the service provider made of a request to one of its endpoints. */
  sealed interface Served {
    record Answer(EdgeReply reply) implements Served {}

    /** A POST that met a login is to be served now. */
    record Again(EdgeRequest kept) implements Served {}
  }

  private ServiceProviderEndpoints() {}

  /** Whether the path is ours. */
  static boolean isOwn(String path) {
    int length = ServiceProvider.PREFIX.length() - 1;
    return path.startsWith("/.")
        && path.regionMatches(0, ServiceProvider.PREFIX, 0, length)
        && (path.length() == length || path.charAt(length) == '/');
  }

  /** Whether a request there is on its way to a new session; logouts, metadata and the rest are not. */
  static boolean opensSession(String path) {
    return switch (path.substring(Math.min(path.length(), ServiceProvider.PREFIX.length()))) {
      case "login", "discovery", "saml/acs", "oidc/callback" -> true;
      case String other -> false;
    };
  }

  /** Serves it; blocks. */
  static Served serve(ServiceProvider serviceProvider, Realm realm, EdgeRequest request) {
    if (request.method().equals("POST") && request.path().equals(ServiceProvider.REPLAY)) {
      Optional<EdgeRequest> kept = serviceProvider.takeReplay(realm, request);
      if (kept.isPresent()) {
        return new Served.Again(kept.get());
      }
    }
    return new Served.Answer(serviceProvider.handle(realm, request));
  }
}
