package dev.gatehouse.gateway.route;

import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.upstream.Upstreams;
import java.util.List;

/** The current route table. A request uses one table until it ends. */
public final class Routes {

  private volatile RouteTable table = RouteTable.of(List.of(), false);

  /** @param apps whether this node has the role gateway, and not only sp */
  public Routes(Realms realms, boolean apps, Upstreams upstreams) {
    realms.onChange(
        all -> {
          Upstreams.Draft draft = upstreams.draft();
          table = RouteTable.of(all, apps, draft);
          draft.commit();
        });
  }

  public RouteTable table() {
    return table;
  }
}
