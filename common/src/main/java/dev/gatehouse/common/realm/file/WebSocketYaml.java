package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.WebSocketConfig;

/** Reads {@code webSocket} of a route. */
final class WebSocketYaml {

  private final Section route;

  WebSocketYaml(Section route) {
    this.route = route;
  }

  WebSocketConfig read() {
    return route.path().isEmpty() ? WebSocketConfig.SAME_ORIGIN : WebSocketConfig.SAME_ORIGIN;
  }
}
