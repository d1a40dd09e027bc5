package dev.gatehouse.gateway.keychange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.KeyChange;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import dev.gatehouse.gateway.cli.ScriptedNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The event of a key at a running node, and what a command learns without its answer. */
@Timeout(60)
class RunningNodeLogTest {

  private static final KeyChange CHANGE =
      new KeyChange(
          KeyChange.Kind.ADMINISTRATOR, KeyChange.Step.CREATE, "desk", List.of(AdministratorGrant.parse("helpdesk@demo")),
          Optional.of(Instant.parse("2030-01-01T00:00:00Z")));

  @Test
  void theNodeLearnsWhatTheKeyPermits() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(200, "{\"kind\":\"administrator\",\"change\":\"create\",\"name\":\"desk\",\"roles\":[\"helpdesk@demo\"]}");
      new RunningNodeLog(node.api()).record(CHANGE);
      assertThat(node.requests()).singleElement().satisfies(request -> {
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.uri()).isEqualTo("/admin/v1/key-changes");
        assertThat(request.body())
            .contains("\"kind\":\"administrator\"", "\"change\":\"create\"", "\"name\":\"desk\"", "\"roles\":[\"helpdesk@demo\"]")
            .contains("\"expiresAt\":\"2030-01-01T00:00:00Z\"");
      });
    }
  }

  @Test
  void whatIsSentLaterIsTheSame() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(200, "{\"kind\":\"administrator\",\"change\":\"create\",\"name\":\"desk\"}");
      new RunningNodeLog(node.api()).record(CHANGE);
      assertThat(node.requests().getFirst().body()).isEqualTo(RunningNodeLog.json(CHANGE));
    }
  }

  @Test
  void aRefusalIsCertainAndALostAnswerIsNot() throws IOException {
    try (ScriptedNode node = new ScriptedNode()) {
      node.answers(503, "{\"detail\":\"The audit log cannot be written.\"}").answers(200, "<html>no</html>").breaks();
      assertThat(failure(node)).hasMessage("The audit log cannot be written.").returns(false, NodeCallFailed::isUncertain);
      for (String said : List.of("(status 200).", "gives no answer: ")) {
        assertThat(failure(node)).hasMessageContaining(said).returns(true, NodeCallFailed::isUncertain);
      }
    }
  }

  private static NodeCallFailed failure(ScriptedNode node) {
    return catchThrowableOfType(NodeCallFailed.class, () -> new RunningNodeLog(node.api()).record(CHANGE));
  }
}
