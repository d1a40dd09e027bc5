package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.UpstreamConfig;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/** Reads {@code upstream} of a route. */
final class UpstreamYaml {

  private final Section route;
  private final Set<Origin> ownOrigins;

  UpstreamYaml(Section route, Set<Origin> ownOrigins) {
    this.route = route;
    this.ownOrigins = ownOrigins;
  }

  Optional<UpstreamConfig> read() {
    return route
        .required("upstream", this::upstream, "write the app's origin, like http://127.0.0.1:9000")
        .map(UpstreamConfig::of);
  }

  private Optional<URI> upstream(Value value) {
    Optional<URI> url = value.url();
    if (url.filter(u -> u.getRawQuery() != null).isPresent()) {
      return value.wrong(value.shown() + " has a query", "write origin and base path only");
    }
    if (url.map(Origin::of).filter(ownOrigins::contains).isPresent()) {
      return value.wrong(value.shown() + " is this gateway itself", "write the origin where the app listens");
    }
    return url;
  }
}
