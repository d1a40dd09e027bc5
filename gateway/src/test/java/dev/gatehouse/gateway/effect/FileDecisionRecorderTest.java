package dev.gatehouse.gateway.effect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.expression.Expression;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.gateway.effect.DecisionFile.Reading;
import dev.gatehouse.gateway.effect.FileDecisionRecorder.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Decisions of a day on a real disk. */
@Timeout(60)
class FileDecisionRecorderTest {

  private static final List<String> MANAGER = List.of("manager");

  @TempDir private Path data;
  private final TestTime time = new TestTime();

  private TestRecorder start(Limits limits) {
    return new TestRecorder(data, time, limits);
  }

  private List<Path> folder() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("decisions"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void aDecisionIsRecordedOnceADay() throws IOException {
    try (TestRecorder recorder = start(Limits.USUAL)) {
      for (int i = 0; i < 3; i++) {
        recorder.asks("bob", MANAGER, "/manager/", true);
        recorder.asks("bob", MANAGER, "/manager/7", true);
        recorder.asks("bob", List.of("employee"), "/manager/", false);
        recorder.asks("al", MANAGER, "/manager/", true);
        recorder.presentsToken("bob", Set.of("read"), "/manager/", true);
        recorder.presentsToken("bob", Set.of(), "/manager/", false);
      }
      recorder.close();
      assertThat(recorder.today()).hasSize(6);
      assertThat(recorder.recorder.lost()).isZero();
      RecordedDecision first = recorder.today().getFirst();
      assertThat(first.asker().account().user()).isEqualTo("bob");
      assertThat(first.asker().account().roles()).containsExactly("manager");
      assertThat(first.asked().url()).isEqualTo(TestRealms.APP + "/manager/");
      assertThat(first.permitted()).isTrue();
    }
  }

  @Test
  void aRestartedNodeKnowsWhatWasRecorded() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (TestRecorder recorder = start(Limits.USUAL)) {
        recorder.asks("bob", MANAGER, "/manager/", true);
        recorder.close();
        assertThat(recorder.today()).hasSize(1);
      }
    }
  }

  @Test
  void theFileIsSealedAndForItsOwnerOnly() throws IOException {
    try (TestRecorder recorder = start(Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/", true);
    }
    Path file = folder().getFirst();
    assertThat(file).hasFileName("2026-01-01.jsonl");
    assertThat(Files.readString(file)).doesNotContain("bob", "manager");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
  }

  @Test
  void attributesThatNoPolicyNamesAreNotRecorded() throws IOException {
    Expression office = ((Expression.Result.Compiled) Expression.compile("'Bonn' in person.attributes[\"office\"]", Set.of())).expression();
    PolicyConfig.Rule rule = new PolicyConfig.Rule("r", Effect.PERMIT, List.of(new Condition.Present("urn:oid:0.9.2342.19200300.100.1.3"), new Condition.When(office)));
    Realm realm =
        TestRealms.change(TestRealms.demo())
            .routes(TestRealms.route("manager", "/manager/", new Access.Protected()).withPolicies(List.of(new PolicyConfig("p", List.of(rule)))))
            .realm();
    try (TestRecorder recorder = new TestRecorder(data, realm, time, Limits.USUAL)) {
      Map<String, List<String>> attributes = Map.of("office", List.of("Bonn"), "mail", List.of("b@x"), "salary", List.of("1"));
      recorder.asks("bob", MANAGER, attributes, "/manager/", true);
      recorder.close();
      assertThat(recorder.today().getFirst().asker().account().attributes()).containsOnlyKeys("office", "mail");
    }
  }

  @Test
  void aFullDayIsHalvedUntilItFits() throws IOException {
    try (TestRecorder recorder = start(new Limits(100, 1 << 30))) {
      for (int i = 0; i < 1000; i++) {
        recorder.asks("bob", MANAGER, "/manager/" + i, true);
      }
      recorder.close();
      List<RecordedDecision> left = recorder.today();
      int halvings = recorder.file().halvings();
      assertThat(left).hasSizeBetween(20, 100);
      assertThat(halvings).isBetween(3, 6);
      assertThat(left).allMatch(decision -> Fingerprint.isSampled(decision.fingerprint(), halvings));
      Reading reading = recorder.file().newestFirst(0, decision -> true);
      assertThat(reading.recorded()).isEqualTo(left.size());
      assertThat(reading.seen()).isBetween(400.0, 2000.0);
      assertThat(folder()).hasSize(1);
    }
    try (TestRecorder again = start(new Limits(100, 1 << 30))) {
      int before = again.today().size();
      for (int i = 0; i < 1000; i++) {
        again.asks("bob", MANAGER, "/manager/" + i, true);
      }
      again.close();
      assertThat(again.today()).hasSizeBetween(before, 100);
    }
  }

  @Test
  void aLargeFileIsHalvedToo() throws IOException {
    try (TestRecorder recorder = start(new Limits(1_000_000, 20_000))) {
      for (int i = 0; i < 2000; i++) {
        recorder.asks("bob" + i, MANAGER, "/manager/" + i, true);
      }
      recorder.close();
      assertThat(recorder.file().bytes()).isLessThan(40_000);
      assertThat(recorder.today()).isNotEmpty();
    }
  }

  @Test
  void aDamagedLineLosesItsOwnDecisionsOnly() throws IOException {
    try (TestRecorder recorder = start(Limits.USUAL)) {
      for (int i = 0; i < 3 * DecisionFile.BLOCK; i++) {
        recorder.asks("bob", MANAGER, "/manager/" + i, true);
      }
    }
    Path file = folder().getFirst();
    byte[] bytes = Files.readAllBytes(file);
    String lines = new String(bytes, StandardCharsets.ISO_8859_1);
    int second = lines.indexOf('\n') + 1;
    int middle = (second + lines.indexOf('\n', second)) / 2;
    bytes[middle] ^= 1;
    Files.write(file, bytes);
    Files.writeString(file, "0 1 99999999999 AAAA\nnonsense\n\n1 2\n0 3 torn", StandardOpenOption.APPEND);
    try (TestRecorder recorder = start(Limits.USUAL)) {
      Set<Long> found = new HashSet<>();
      Reading reading = recorder.file().newestFirst(0, decision -> found.add(decision.fingerprint()));
      assertThat(found.size()).isBetween(2 * DecisionFile.BLOCK - 1, 3 * DecisionFile.BLOCK - 1);
      assertThat(reading.recorded()).isEqualTo(found.size());
      assertThat(reading.damaged()).isEqualTo(5);
      assertThat(reading.seen()).isEqualTo(3 * DecisionFile.BLOCK + 1);
      recorder.asks("bob", MANAGER, "/new", true);
      recorder.close();
      assertThat(recorder.today().getLast().asked().path()).isEqualTo("/new");
    }
  }

  @Test
  void decisionsAreKeptForTwoDays() throws IOException {
    try (TestRecorder recorder = start(Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/manager/", true);
      Eventually.holds(() -> !recorder.today().isEmpty());
      time.advance(Duration.ofDays(1));
      Eventually.holds(
          () -> {
            recorder.asks("bob", MANAGER, "/manager/", true);
            return !recorder.today().isEmpty();
          });
      assertThat(folder()).extracting(Path::getFileName).map(Path::toString).containsExactly("2026-01-01.jsonl", "2026-01-02.jsonl");
      Files.writeString(data.resolve("decisions/other"), "");
      time.advance(Duration.ofDays(1));
      Eventually.holds(() -> !Files.exists(data.resolve("decisions/2026-01-01.jsonl")));
      assertThat(folder()).extracting(Path::getFileName).map(Path::toString).containsExactly("2026-01-02.jsonl", "other");
    }
  }

  @Test
  void aFullDiskHoldsNobodyUpAndIsCounted() throws IOException {
    try (TestRecorder recorder = start(Limits.USUAL)) {
      recorder.spaceIsLow.set(true);
      for (int i = 0; i < DecisionFile.BLOCK; i++) {
        recorder.asks("bob", MANAGER, "/manager/" + i, true);
      }
      Eventually.holds(() -> recorder.recorder.lost() == DecisionFile.BLOCK);
      recorder.asks("bob", MANAGER, "/kept", true);
      Eventually.holds(() -> recorder.recorder.recorded() == DecisionFile.BLOCK + 1);
      recorder.spaceIsLow.set(false);
      Eventually.holds(() -> !recorder.today().isEmpty());
      assertThat(recorder.today()).extracting(decision -> decision.asked().path()).containsExactly("/kept");
      assertThat(recorder.recorder.lostRecently()).isEqualTo(DecisionFile.BLOCK);
      for (int i = 0; i < 2; i++) {
        time.advance(Duration.ofDays(1));
        Eventually.holds(() -> recorder.recorder.recorded() == 0);
        recorder.asks("bob", MANAGER, "/next", true);
        Eventually.holds(() -> recorder.recorder.recorded() == 1);
      }
      assertThat(recorder.recorder.lostRecently()).isZero();
      assertThat(recorder.recorder.lost()).isEqualTo(DecisionFile.BLOCK);
    }
  }

  @Test
  void aVeryLongPathIsNotRecordedButCounted() throws IOException {
    try (TestRecorder recorder = start(Limits.USUAL)) {
      recorder.asks("bob", MANAGER, "/" + "x".repeat(FileDecisionRecorder.LONGEST_PATH), true);
      recorder.close();
      assertThat(recorder.today()).isEmpty();
      assertThat(recorder.recorder.lost()).isEqualTo(1);
    }
  }
}
