package dev.gatehouse.gateway.administrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.gateway.cli.ScriptedNode;
import dev.gatehouse.gateway.cli.ScriptedNode.Request;
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

  private static void grant(ScriptedNode node) {
    new RunningNodeChanges(node.api()).grant("alice", AdministratorGrant.parse("viewer@demo"), Optional.empty(), false);
  }

  @Test
  void whatTheNodeDidIsDone() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(200, "{\"role\":\"viewer\",\"realm\":\"demo\",\"grantedBy\":\"ops\",\"grantedAt\":\"2026-11-29T10:00:00Z\"}");
      node.answers(204, "");
      grant(node);
      revoke(node);
      assertThat(node.requests())
          .extracting(Request::method, Request::uri)
          .containsExactly(
              tuple("PUT", "/admin/v1/administrators/alice?evenLast=false&realm=demo"),
              tuple("DELETE", "/admin/v1/administrators/alice?evenLast=false"));
    }
  }

  @Test
  void aGrantWithAForeignAnswerIsNotCertain() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.strangerAnswers(200, "{\"role\":\"viewer\"}").answers(200, "{}").answers(200, "<html>no</html>");
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> grant(node))
            .isInstanceOf(AdministratorChanges.Refused.class)
            .hasMessage(
                node.address() + " does not answer as a node of Gatehouse does (status 200)."
                    + " ./gatehouse admin administrators list shows whether the role was changed.");
      }
    }
  }

  @Test
  void aRefusalIsCertainAndALostOrForeignAnswerIsNot() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(404, "{\"detail\":\"There is no such person with a role.\"}").breaks().answers(504, "<html>no</html>");
      node.strangerAnswers(200, "<html>no</html>").strangerAnswers(204, "");
      assertThatThrownBy(() -> revoke(node))
          .isInstanceOf(AdministratorChanges.Refused.class)
          .hasMessage("The node refuses: There is no such person with a role.");
      for (String said : List.of("gives no answer: ", "(status 504).", "(status 200).", "(status 204).")) {
        assertThatThrownBy(() -> revoke(node))
            .isInstanceOf(AdministratorChanges.Refused.class)
            .hasMessageContaining(said)
            .hasMessageEndingWith(" ./gatehouse admin administrators list shows whether the role was changed.");
      }
    }
  }
}
