package dev.gatehouse.gateway.keychange;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.KeyChange;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The audit log of a running node, by its REST interface, because its process alone can write it. */
public final class RunningNodeLog implements KeyChangeLog {

  private record Change(String kind, String change, String name, List<String> roles, Optional<String> expiresAt) {}

  /** The node repeats the change. */
  private record Recorded(String kind, String change, String name) {}

  private final NodeApi node;

  public RunningNodeLog(NodeApi node) {
    this.node = node;
  }

  @Override
  public void record(KeyChange change) {
    try {
      node.call(NodeCall.post("/admin/v1/key-changes", body(change)), Recorded.class);
    } catch (NodeCallFailed e) {
      throw e.with(e.isUncertain() ? "No key was changed, though the audit log may have the change." : "No key was changed.");
    }
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
