package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.ResponseConfig;

/** Reads what a route says of its responses. */
final class ResponseYaml {

  private final Section route;

  ResponseYaml(Section route) {
    this.route = route;
  }

  ResponseConfig read() {
    return route.path().isEmpty() ? ResponseConfig.PLAIN : ResponseConfig.PLAIN;
  }
}
