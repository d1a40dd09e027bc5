package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.SessionDemand;

/** Reads {@code session} of a route. */
final class SessionDemandYaml {

  private final Section route;

  SessionDemandYaml(Section route) {
    this.route = route;
  }

  SessionDemand read() {
    return route.path().isEmpty() ? SessionDemand.NONE : SessionDemand.NONE;
  }
}
