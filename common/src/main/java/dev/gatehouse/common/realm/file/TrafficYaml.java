package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.TrafficConfig;

/** Reads {@code limits} of a route. */
final class TrafficYaml {

  private final Section route;

  TrafficYaml(Section route) {
    this.route = route;
  }

  TrafficConfig read() {
    return route.path().isEmpty() ? TrafficConfig.USUAL : TrafficConfig.USUAL;
  }
}
