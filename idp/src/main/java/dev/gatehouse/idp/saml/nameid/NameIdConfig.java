package dev.gatehouse.idp.saml.nameid;

import dev.gatehouse.common.nameid.ManageNameIdReceiver;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.endpoint.Route;
import java.util.List;
import java.util.Set;

/** Assembles the profile's endpoints. */
public final class NameIdConfig {

  private NameIdConfig() {}

  /** The routes {@code saml/nameid} and {@code saml/nameid/soap}. */
  public static List<Route> routes(ManageNameIdReceiver reception, NameIdChanges changes, Refusals refusals) {
    return List.of(
        Route.message(NameIdEndpoint.PATH, new NameIdEndpoint(reception, changes, refusals, false)),
        new Route(
            NameIdEndpoint.SOAP_PATH,
            Set.of("POST"),
            Route.MESSAGE_BYTES,
            new NameIdEndpoint(reception, changes, refusals, true)));
  }
}
