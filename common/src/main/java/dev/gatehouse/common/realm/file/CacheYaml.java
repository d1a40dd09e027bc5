package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.CacheConfig;
import java.util.Optional;

/** Reads {@code cache} of a route. */
final class CacheYaml {

  private final Section route;

  CacheYaml(Section route) {
    this.route = route;
  }

  Optional<CacheConfig> read() {
    return route.path().isEmpty() ? Optional.empty() : Optional.empty();
  }
}
