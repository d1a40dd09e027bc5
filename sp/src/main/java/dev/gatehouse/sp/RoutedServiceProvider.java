package dev.gatehouse.sp;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.device.DeviceOffer;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpEndpoint;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.edge.SpRoutes;
import dev.gatehouse.sp.login.ArtifactResolutionEndpoint;
import dev.gatehouse.sp.login.Challenge;
import dev.gatehouse.sp.login.RouteLogin;
import dev.gatehouse.sp.login.SavedRequests;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The service provider for SAML 2.0 and OpenID Connect: dispatches each path below {@link SpPaths#PREFIX} to its endpoint. */
final class RoutedServiceProvider implements ServiceProvider {

  private final Map<String, SpEndpoint> endpoints;
  private final ArtifactResolutionEndpoint artifacts;
  private final Challenge challenge;
  private final SavedRequests savedRequests;
  private final DeviceOffer offer;
  private final Refusals refusals;

  RoutedServiceProvider(
      List<SpRoutes> routes,
      ArtifactResolutionEndpoint artifacts,
      Challenge challenge,
      SavedRequests savedRequests,
      DeviceOffer offer,
      Refusals refusals) {
    // Fails if two packages serve one path.
    this.endpoints =
        routes.stream()
            .flatMap(group -> group.endpoints().entrySet().stream())
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    this.artifacts = artifacts;
    this.challenge = challenge;
    this.savedRequests = savedRequests;
    this.offer = offer;
    this.refusals = refusals;
  }

  @Override
  public EdgeReply handle(Realm realm, EdgeRequest request) {
    SpRealm sp = require(realm);
    if (request.path().equals(SpRealm.ARTIFACT_PATH) && sp.resolvesArtifactsAt(request.origin())) {
      return readable(sp, request, () -> artifacts.handle(sp, request));
    }
    Optional<SpEndpoint> endpoint = endpoint(request.path());
    if (endpoint.isEmpty() || sp.origins().noneMatch(request.origin()::equals)) {
      return refusals.notFound(sp, request);
    }
    return offer.in(sp, request, readable(sp, request, () -> endpoint.get().handle(sp, request)));
  }

  private Optional<SpEndpoint> endpoint(String path) {
    return Optional.ofNullable(endpoints.get(path))
        .or(() -> Optional.ofNullable(endpoints.get(path.substring(0, path.lastIndexOf('/') + 1))));
  }

  @Override
  public EdgeReply challenge(Realm realm, EdgeRequest request, RouteLogin route, boolean mayReplayPost) {
    SpRealm sp = require(realm);
    return readable(sp, request, () -> challenge.answer(sp, request, route, mayReplayPost));
  }

  @Override
  public Optional<String> loginAddress(Realm realm, EdgeRequest request, RouteLogin route) {
    return challenge.address(require(realm), request, route);
  }

  @Override
  public Optional<EdgeRequest> takeReplay(Realm realm, EdgeRequest confirmation) {
    try {
      return savedRequests.take(require(realm), confirmation);
    } catch (Parameters.Malformed malformed) {
      return Optional.empty();
    }
  }

  /** Malformed parameters are the client's mistake, whichever endpoint reads them; an unavailable directory is not. */
  private EdgeReply readable(SpRealm realm, EdgeRequest request, Supplier<EdgeReply> answer) {
    try {
      return answer.get();
    } catch (Parameters.Malformed malformed) {
      return refusals.page(realm, request, 400, "bad-request");
    } catch (DirectoryUnavailable unavailable) {
      return refusals.unavailable(realm, request, "directory-unavailable", unavailable);
    }
  }

  private static SpRealm require(Realm realm) {
    return SpRealm.of(realm)
        .orElseThrow(() -> new IllegalArgumentException("the realm " + realm.name() + " has no service provider"));
  }
}
