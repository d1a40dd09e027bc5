package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.ServiceProvider;
import dev.gatehouse.sp.edge.SpPaths;
import java.util.Optional;

/**
 * The service provider's endpoints on every host of a realm. No request at or below their prefix is ever forwarded to
 * an app.
 */
final class ServiceProviderEndpoints {

  /** The service provider's result for a request to one of its endpoints. */
  sealed interface Served {
    record Answer(EdgeReply reply) implements Served {}

    /** The POST that was saved during a login must be served now. */
    record Again(EdgeRequest kept) implements Served {}
  }

  private ServiceProviderEndpoints() {}

  /** Returns whether the path belongs to these endpoints. */
  static boolean isOwn(String path) {
    int length = SpPaths.PREFIX.length() - 1;
    return path.startsWith("/.")
        && path.regionMatches(0, SpPaths.PREFIX, 0, length)
        && (path.length() == length || path.charAt(length) == '/');
  }

  /** Returns whether a request to that path may open a session; logouts, metadata and the rest do not. */
  static boolean opensSession(String path) {
    return switch (path.substring(Math.min(path.length(), SpPaths.PREFIX.length()))) {
      case "login", "discovery", "saml/acs", "oidc/callback" -> true;
      case String other -> other.startsWith("oidc/callback/");
    };
  }

  /** Serves the request; blocks. */
  static Served serve(ServiceProvider serviceProvider, Realm realm, EdgeRequest request) {
    if (request.method().equals("POST") && request.path().equals(SpPaths.REPLAY)) {
      Optional<EdgeRequest> kept = serviceProvider.takeReplay(realm, request);
      if (kept.isPresent()) {
        return new Served.Again(kept.get());
      }
    }
    return new Served.Answer(serviceProvider.handle(realm, request));
  }
}
