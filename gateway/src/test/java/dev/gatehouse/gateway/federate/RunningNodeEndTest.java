package dev.gatehouse.gateway.federate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
import dev.gatehouse.gateway.cli.ScriptedNode;
import dev.gatehouse.gateway.cli.ScriptedNode.Request;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A batch is sent again while the node restarts, but not where it refuses. */
@Timeout(60)
class RunningNodeEndTest {

  private static final List<Line> LINES = List.of(new Line("alice", Optional.empty()), new Line("bob", Optional.empty()));

  private static FederationEnd at(ScriptedNode node) {
    return new RunningNodeEnd(node.api(), "demo", "names", "https://sp.example.org/a b");
  }

  @Test
  void aFaultIsTriedAgain() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(503, "")
          .answers(200, "{\"outcomes\":[{\"nameId\":\"n-1\",\"isNew\":true},{\"isNew\":false,\"rejected\":\"LOCAL_NAME_UNKNOWN\"}]}");
      assertThat(at(node).apply(LINES))
          .containsExactly(new Outcome.Federated("n-1", true), new Outcome.Rejected(Reason.LOCAL_NAME_UNKNOWN));
      assertThat(node.requests())
          .hasSize(2)
          .extracting(Request::uri)
          .containsOnly("/admin/v1/realms/demo/federation/names/bulk?partner=https%3A%2F%2Fsp.example.org%2Fa%20b");
    }
  }

  @Test
  void aRefusalIsNot() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(403, "{\"detail\":\"This administrator key is not known here.\"}");
      assertThatThrownBy(() -> at(node).apply(LINES))
          .isInstanceOf(FederationEndFailed.class)
          .hasMessage("The node refuses: This administrator key is not known here.");
      assertThat(node.requests()).hasSize(1);
    }
  }
}
