package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCall;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** An end at a running node, reached through its REST API, because the node's stores are locked by its process. */
public final class RunningNodeEnd implements FederationEnd {

  /** Attempts; repeating a batch changes nothing, so a request may be repeated while a node restarts. */
  private static final int TRIES = 5;

  private record Lines(List<Line> lines) {}

  private record Answer(List<LineOutcome> outcomes) {}

  private record LineOutcome(Optional<String> nameId, boolean isNew, Optional<Reason> rejected) {
    Outcome outcome() {
      return rejected
          .<Outcome>map(Outcome.Rejected::new)
          .orElseGet(() -> new Outcome.Federated(nameId.orElseThrow(), isNew));
    }
  }

  private final NodeApi node;
  private final String path;

  /** @param kind {@code names} or {@code links} */
  public RunningNodeEnd(NodeApi node, String realm, String kind, String partner) {
    this.node = node;
    this.path =
        "/admin/v1/realms/" + NodeCall.encoded(realm) + "/federation/" + kind + "/bulk?partner=" + NodeCall.encoded(partner);
  }

  @Override
  public List<Outcome> apply(List<Line> lines) {
    NodeCall call = NodeCall.post(path, new Lines(lines));
    String why = "";
    for (int i = 0; i < TRIES; i++) {
      try {
        Thread.sleep(Duration.ofSeconds(i * 2L));
        return node.call(call, Answer.class).outcomes().stream().map(LineOutcome::outcome).toList();
      } catch (NodeCallFailed e) {
        why = String.valueOf(e.getMessage());
        if (!e.isOutage()) {
          throw new FederationEndFailed(why);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FederationEndFailed("Interrupted.");
      }
    }
    throw new FederationEndFailed(why + " It was asked " + TRIES + " times.");
  }
}
