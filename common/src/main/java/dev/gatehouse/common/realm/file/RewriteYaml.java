package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.RewriteConfig;

/** Reads {@code rewrite} of a route. */
final class RewriteYaml {

  private final Section route;

  RewriteYaml(Section route) {
    this.route = route;
  }

  RewriteConfig read() {
    return route.path().isEmpty() ? RewriteConfig.NONE : RewriteConfig.NONE;
  }
}
