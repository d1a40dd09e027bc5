package dev.gatehouse.gateway.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Node.AuditConfig.SyslogReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left out of the audit log, over starts of a node. */
class AuditFilterTest {

  @TempDir Path folder;
  private final List<AuditEvent> observed = new ArrayList<>();

  private Node.AuditConfig config(Set<String> leftOut, Set<String> unsearchable, Set<String> notSent) {
    SyslogReceiver receiver = new SyslogReceiver("log.example.org", 6514, List.of(), notSent);
    return new Node.AuditConfig(
        folder, 1 << 20, Duration.ofDays(30), Duration.ofDays(1), Optional.empty(), List.of(receiver), leftOut, unsearchable);
  }

  /** Returns the lines that a start and one event of each kind added. */
  private List<String> start(Node.AuditConfig config) throws IOException {
    Path file = folder.resolve("audit.jsonl");
    int before = Files.exists(file) ? Files.readAllLines(file).size() : 0;
    try (JsonLinesAuditLog log = new JsonLinesAuditLog(folder, 1 << 20, Duration.ofDays(30), new TestTime())) {
      log.observedBy(observed::add);
      AuditFilter.apply(config, log);
      log.record(new AuditEvent.TokensIssued(Context.node(), "shop", "code", "alice", "t", "openid"));
      log.record(new AuditEvent.LoginRefused(Context.node(), "alice", "password", "WRONG_PASSWORD"));
    }
    List<String> lines = Files.readAllLines(file);
    return lines.subList(before, lines.size());
  }

  @Test
  void aChangeIsRecordedOnceAndBeforeItTakesEffect() throws IOException {
    assertThat(start(config(Set.of(), Set.of(), Set.of()))).hasSize(2).noneMatch(line -> line.contains("audit filter"));
    Node.AuditConfig less = config(Set.of("TokensIssued"), Set.of("SessionEnded"), Set.of("AssertionIssued"));
    List<String> changed = start(less);
    assertThat(changed).hasSize(2);
    assertThat(changed.getFirst())
        .contains("ConfigurationChanged", "audit filter", "log=[TokensIssued]", "index=[SessionEnded]", "log.example.org:6514=[AssertionIssued]")
        .contains("before: nothing is left out");
    assertThat(changed.getLast()).contains("LoginRefused");
    assertThat(start(less)).hasSize(1);
    observed.clear();
    List<String> all = start(config(Set.of(), Set.of(), Set.of()));
    assertThat(all).hasSize(3);
    assertThat(all.getFirst()).contains("nothing is left out; before: left out: {", "log=[TokensIssued]");
    assertThat(observed).hasSize(3);
  }

  @Test
  void observersGetWhatIsLeftOut() throws IOException {
    start(config(Set.of("TokensIssued"), Set.of(), Set.of()));
    assertThat(observed).extracting(event -> event.getClass().getSimpleName()).containsExactly("ConfigurationChanged", "TokensIssued", "LoginRefused");
  }

  @Test
  void whatMayBeLeftOutAreEvents() {
    Set<String> words = Set.of("AssertionIssued", "AssertionAccepted", "TokensIssued", "SessionEnded", "LogoutPropagated", "AccountingReceived", "PasscodeDecided");
    assertThat(Arrays.stream(AuditEvent.class.getPermittedSubclasses()).map(Class::getSimpleName)).containsAll(words);
  }
}
