package dev.gatehouse.idp.endpoint;

import java.util.List;

/** The addresses that one package serves. */
public record RouteGroup(List<Route> routes) {

  public static RouteGroup of(Route... routes) {
    return new RouteGroup(List.of(routes));
  }
}
