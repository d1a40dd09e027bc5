package dev.gatehouse.gateway.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import dev.gatehouse.gateway.cli.ScriptedNode;
import dev.gatehouse.gateway.cli.ScriptedNode.Request;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps that a running node takes: whoever asked learns what became of it. */
@Timeout(60)
class RunningNodeStepsTest {

  private static KeySteps at(ScriptedNode node) {
    return new RunningNodeSteps(node.api(), "demo", KeyUse.IDP_SIGNING);
  }

  @Test
  void theAnswerHasTheKeysAfterTheStep() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(200, "{\"keys\":[{\"state\":\"current\",\"id\":\"1\",\"algorithm\":\"P_256\",\"notAfter\":\"2030-01-01T00:00:00Z\"}]}");
      assertThat(at(node).take(RotationStep.PROMOTE))
          .containsExactly(new ListedKey("current", "1", "P_256", Instant.parse("2030-01-01T00:00:00Z")));
      assertThat(node.requests()).extracting(Request::method).containsExactly("POST");
      assertThat(node.requests()).extracting(Request::uri).containsExactly("/admin/v1/realms/demo/keys/IDP_SIGNING/promote?now=true");
    }
  }

  @Test
  void aRefusalIsCertainAndALostOrForeignAnswerIsNot() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(409, "{\"detail\":\"Nothing was changed: there is no next key.\"}").breaks().answers(200, "{}");
      assertThatThrownBy(() -> at(node).take(RotationStep.PROMOTE))
          .isInstanceOf(KeySteps.Refused.class)
          .hasMessage("The node refuses: Nothing was changed: there is no next key.");
      assertThatThrownBy(() -> at(node).take(RotationStep.PROMOTE))
          .isInstanceOf(KeySteps.Refused.class)
          .hasMessageEndingWith(" ./gatehouse keys list shows whether it took the step.");
      assertThatThrownBy(() -> at(node).take(RotationStep.PROMOTE))
          .isInstanceOf(KeySteps.Refused.class)
          .hasMessageContaining("does not answer as a node of Gatehouse does")
          .hasMessageEndingWith(" ./gatehouse keys list shows whether it took the step.");
    }
  }
}
