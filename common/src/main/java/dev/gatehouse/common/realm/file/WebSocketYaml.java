package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.WebSocketConfig;
import java.time.Duration;
import java.util.stream.Collectors;

/** Reads {@code webSocket} of a route. */
final class WebSocketYaml {

  private final YamlSection section;

  WebSocketYaml(YamlSection route) {
    this.section = route.sectionOrEmpty("webSocket");
  }

  WebSocketConfig read() {
    return new WebSocketConfig(
        section.values("origins").stream().flatMap(v -> v.origin().stream()).collect(Collectors.toSet()),
        section.read(
            "idle", WebSocketConfig.SAME_ORIGIN.idle(), v -> v.duration(Duration.ofSeconds(1), Duration.ofDays(1))));
  }
}
