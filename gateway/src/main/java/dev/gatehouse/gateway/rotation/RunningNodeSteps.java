package dev.gatehouse.gateway.rotation;

import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import java.util.List;

/** Steps at a running node by its REST interface, because its process alone can write its audit log. */
public final class RunningNodeSteps implements KeySteps {

  private record Keys(List<ListedKey> keys) {}

  private final NodeApi node;
  private final String realm;
  private final KeyUse use;

  public RunningNodeSteps(NodeApi node, String realm, KeyUse use) {
    this.node = node;
    this.realm = realm;
    this.use = use;
  }

  @Override
  public List<ListedKey> take(RotationStep step) {
    String path = "/admin/v1/realms/" + NodeCall.encoded(realm) + "/keys/" + use.name() + operation(step);
    try {
      return node.call(NodeCall.post(path), Keys.class).keys();
    } catch (NodeCallFailed e) {
      throw new Refused(e.getMessage() + (e.isUncertain() ? " ./gatehouse keys list shows whether it took the step." : ""));
    }
  }

  private static String operation(RotationStep step) {
    return switch (step) {
      case PREPARE -> "/next";
      case PROMOTE -> "/promote?now=true";
      case RETIRE -> "/retire?now=true";
    };
  }
}
