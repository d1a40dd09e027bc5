package dev.gatehouse.gateway.route;

import dev.gatehouse.common.realm.Realms;
import java.util.List;

/** The route table as it is now. A request keeps the table that it began with. */
public final class Routes {

  private volatile RouteTable table = RouteTable.of(List.of(), false);

  /** @param apps whether this node plays the role gateway, and not only sp */
  public Routes(Realms realms, boolean apps) {
    realms.onChange(all -> table = RouteTable.of(all, apps));
  }

  public RouteTable table() {
    return table;
  }
}
