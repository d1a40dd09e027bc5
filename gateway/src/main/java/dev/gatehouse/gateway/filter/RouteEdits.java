package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.UpstreamConfig;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A route's compiled changes of paths, links, cookies and response fields. */
public final class RouteEdits {

  /** The response edits for one origin; a route has few origins, mostly one. */
  private record Known(Origin origin, ResponseEdits anonymous, ResponseEdits identified) {}

  private final PathMapping request;
  private final PathMapping response;
  private final Set<Origin> apps;
  private final boolean links;
  private final boolean cookies;
  private final SecurityFields secure;
  private final SecurityFields plain;
  private volatile @Nullable Known known;

  private RouteEdits(RouteConfig config) {
    this.request = config.rewrite().paths().map(PathMapping::of).orElse(PathMapping.SAME);
    List<URI> servers = config.upstream().servers().stream().map(UpstreamConfig.Server::url).toList();
    this.response = request.withBase(servers.isEmpty() ? "" : basePath(servers.getFirst()));
    this.apps = servers.stream().map(Origin::of).collect(Collectors.toSet());
    this.links = config.rewrite().links();
    this.cookies = config.rewrite().cookies() && !response.isSame();
    this.secure = SecurityFields.of(config.response().securityFields(), true);
    this.plain = SecurityFields.of(config.response().securityFields(), false);
  }

  public static RouteEdits of(RouteConfig config) {
    return new RouteEdits(config);
  }

  /**
   * The path that the app gets, without the base path, which is prepended later; derived only from the authorized path.
   */
  public String appPath(String path) {
    return request.toApp(path);
  }

  /**
   * The changes of a response.
   *
   * @param origin the origin that the client used: one of the few that the route has
   */
  public ResponseEdits response(Origin origin, boolean identified, List<HeaderEdits.Edit> added) {
    Known last = known;
    if (last == null || !last.origin().equals(origin)) {
      last = new Known(origin, edits(origin, false), edits(origin, true));
      known = last;
    }
    ResponseEdits edits = identified ? last.identified() : last.anonymous();
    return added.isEmpty() ? edits : edits.adding(added);
  }

  private ResponseEdits edits(Origin origin, boolean identified) {
    Optional<Links> rewriting =
        links || cookies ? Optional.of(new Links(origin, apps, response, links, cookies)) : Optional.empty();
    return new ResponseEdits(identified, List.of(), origin.isSecure() ? secure : plain, rewriting);
  }

  private static String basePath(URI server) {
    String path = server.getRawPath() == null ? "" : server.getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
