package dev.gatehouse.gateway.administrator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.gateway.cli.ScriptedNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Roles of people that a running node changes: whoever asked learns whether it is certain that nothing was changed. */
@Timeout(60)
class RunningNodeChangesTest {

  private static void revoke(ScriptedNode node) {
    new RunningNodeChanges(node.api()).revoke("alice", Optional.empty(), false);
  }

  @Test
  void aRefusalIsCertainAndALostAnswerIsNot() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(404, "{\"detail\":\"There is no such person with a role.\"}").breaks().answers(504, "<html>no</html>");
      assertThatThrownBy(() -> revoke(node))
          .isInstanceOf(AdministratorChanges.Refused.class)
          .hasMessage("The node refuses: There is no such person with a role.");
      for (String said : List.of("gives no answer: ", "(status 504).")) {
        assertThatThrownBy(() -> revoke(node))
            .isInstanceOf(AdministratorChanges.Refused.class)
            .hasMessageContaining(said)
            .hasMessageEndingWith(" ./gatehouse admin administrators list shows whether the role was changed.");
      }
    }
  }
}
