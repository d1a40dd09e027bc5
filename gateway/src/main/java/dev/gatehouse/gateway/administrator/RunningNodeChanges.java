package dev.gatehouse.gateway.administrator;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Changes at a running node by its REST interface, because its database is open in its process. */
public final class RunningNodeChanges implements AdministratorChanges {

  /** What the node answers to a grant. */
  private record Granted(String role) {}

  private final NodeApi node;

  public RunningNodeChanges(NodeApi node) {
    this.node = node;
  }

  @Override
  public void grant(String person, AdministratorGrant grant, Optional<Instant> expiresAt, boolean evenLast) {
    Map<String, String> body = new TreeMap<>(Map.of("role", grant.role().word()));
    expiresAt.ifPresent(end -> body.put("expiresAt", end.toString()));
    NodeCall call = NodeCall.put(path(person, grant.realm(), evenLast), body);
    send(() -> node.call(call, Granted.class));
  }

  @Override
  public void revoke(String person, Optional<String> realm, boolean evenLast) {
    NodeCall call = NodeCall.delete(path(person, realm, evenLast));
    send(() -> node.call(call));
  }

  private static String path(String person, Optional<String> realm, boolean evenLast) {
    String query = "?evenLast=" + evenLast + realm.map(name -> "&realm=" + NodeCall.encoded(name)).orElse("");
    return "/admin/v1/administrators/" + NodeCall.encoded(person) + query;
  }

  private static void send(Runnable call) {
    try {
      call.run();
    } catch (NodeCallFailed e) {
      String look = e.isUncertain() ? " ./gatehouse admin administrators list shows whether the role was changed." : "";
      throw new Refused(e.getMessage() + look);
    }
  }
}
