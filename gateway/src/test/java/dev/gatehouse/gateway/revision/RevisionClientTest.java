package dev.gatehouse.gateway.revision;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.gateway.cli.NodeCallFailed;
import dev.gatehouse.gateway.cli.ScriptedNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of the configuration at a running node: whoever asked learns whether it is certain that it was not made. */
@Timeout(60)
class RevisionClientTest {

  private static PlannedChange rollBack(ScriptedNode node) {
    return new RevisionClient(node.api()).rollBack(3, 7, Optional.empty());
  }

  @Test
  void aRefusalIsCertainAndALostOrForeignAnswerIsNot() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(412, "{\"detail\":\"Revision 8 is in use.\"}").answers(200, "<html>no</html>").breaks();
      assertThatThrownBy(() -> rollBack(node)).isInstanceOf(NodeCallFailed.class).hasMessage("The node refuses: Revision 8 is in use.");
      for (String said : List.of("does not answer as a node of Gatehouse does (status 200).", "gives no answer: ")) {
        assertThatThrownBy(() -> rollBack(node))
            .isInstanceOf(NodeCallFailed.class)
            .hasMessageContaining(said)
            .hasMessageEndingWith(" ./gatehouse admin revisions list shows whether the change is in use.");
      }
    }
  }
}
