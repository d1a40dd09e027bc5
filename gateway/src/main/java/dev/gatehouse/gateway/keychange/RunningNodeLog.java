package dev.gatehouse.gateway.keychange;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.KeyChange;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** The audit log of a running node, by its REST interface, because its process alone can write it. */
public final class RunningNodeLog implements KeyChangeLog {

  private record Change(String kind, String change, String name, List<String> roles, Optional<String> expiresAt) {}

  /** The node repeats the change. */
  private record Recorded(String kind, String change, String name) {}

  private static final JsonMapper JSON = new JsonMapper();

  private final NodeApi node;

  public RunningNodeLog(NodeApi node) {
    this.node = node;
  }

  /** Returns what the node is sent, for somebody who has the change recorded later. */
  public static String json(KeyChange change) {
    return JSON.writeValueAsString(body(change));
  }

  @Override
  public void record(KeyChange change) {
    node.call(NodeCall.post("/admin/v1/key-changes", body(change)), Recorded.class);
  }

  private static Change body(KeyChange change) {
    return new Change(
        change.kind().word(),
        change.step().word(),
        change.name(),
        change.grants().stream().map(AdministratorGrant::toString).toList(),
        change.expiresAt().map(Instant::toString));
  }
}
