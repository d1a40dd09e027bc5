package dev.gatehouse.common.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.refusal.FileRefusalTraces.Limits;
import dev.gatehouse.common.refusal.RefusalTrace.Asked;
import dev.gatehouse.common.refusal.RefusalTrace.Decided;
import dev.gatehouse.common.refusal.RefusalTrace.Refused;
import dev.gatehouse.common.refusal.RefusalTrace.Rule;
import dev.gatehouse.common.refusal.RefusalTrace.Subject;
import dev.gatehouse.common.refusal.RefusalTrace.Upstream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Traces of refusals on a real disk. */
@Timeout(60)
class FileRefusalTracesTest {

  private static final Limits SMALL = new Limits(5_000, 20_000, Duration.ofDays(7));

  @TempDir private Path data;

  private final TestTime time = new TestTime();
  private final SealingKey sealing = SealingKey.inMemory(new SecureRandom());
  private final AtomicBoolean low = new AtomicBoolean();

  private FileRefusalTraces start(Limits limits) {
    return new FileRefusalTraces(data.resolve("refusals"), sealing, time, low::get, limits);
  }

  private RefusalTrace trace(String id, String realm, String person, String client) {
    return new RefusalTrace(
        id, time.instant(), realm, new Asked("GET", "https://app.example", "/manager/", client, "manager"),
        new Refused(403, "ROLE_MISSING", "-", "-", ""),
        Optional.of(new Subject("idp!" + person, person, "s".repeat(43), "idp", List.of("clerk"), Optional.of("password"))),
        Optional.of(
            new Decided(
                "deny", "office", "rule 2", List.of(new Rule("office", "rule 2", "permit", false, List.of("no: roles: staff"))),
                List.of())),
        Optional.empty(), Optional.of(new Upstream("127.0.0.1:80", 7)));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("refusals"))) {
      return files.sorted().toList();
    }
  }

  private static List<String> people(List<RefusalTrace> traces) {
    return traces.stream().map(trace -> trace.subject().orElseThrow().user()).toList();
  }

  @Test
  void aTraceIsFoundByItsIdWhileTheNodeRunsAndAfterARestart() throws IOException {
    RefusalTrace written = trace("abc", "demo", "bob", "192.0.2.1");
    try (FileRefusalTraces traces = start(Limits.USUAL)) {
      traces.record(written);
      traces.record(trace("abd", "demo", "al", "192.0.2.1"));
      Eventually.holds(() -> traces.find("abc").size() == 1);
      assertThat(traces.find("abc")).containsExactly(written);
      assertThat(traces.find("ab")).isEmpty();
    }
    try (FileRefusalTraces traces = start(Limits.USUAL)) {
      assertThat(traces.find("abc")).containsExactly(written);
      assertThat(traces.find("abd")).hasSize(1);
      assertThat(traces.lost()).isZero();
    }
  }

  /** A trusted proxy may send an id twice, and whoever learned one may send it again. */
  @Test
  void anIdThatComesAgainHidesNothing() throws IOException {
    FileRefusalTraces traces = start(Limits.USUAL);
    traces.record(trace("same", "demo", "bob", "192.0.2.1"));
    traces.record(trace("same", "second", "eve", "192.0.2.2"));
    traces.close();
    assertThat(people(traces.find("same"))).containsExactly("eve", "bob");
  }

  @Test
  void filesAreSealedAndForTheirOwnerOnly() throws IOException {
    try (FileRefusalTraces traces = start(Limits.USUAL)) {
      traces.record(trace("the-id-of-a-request", "demo", "somebody", "192.0.2.1"));
    }
    Path file = files().getFirst();
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain("somebody", "the-id-of-a-request", "manager");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    SealingKey other = SealingKey.inMemory(new SecureRandom());
    try (FileRefusalTraces traces = new FileRefusalTraces(data.resolve("refusals"), other, time, low::get, Limits.USUAL)) {
      assertThat(traces.find("the-id-of-a-request")).isEmpty();
    }
  }

  @Test
  void tracesEndAfterSevenDays() throws IOException {
    try (FileRefusalTraces traces = start(Limits.USUAL)) {
      traces.record(trace("old", "demo", "bob", "192.0.2.1"));
    }
    time.advance(Duration.ofDays(7).minusMinutes(1));
    try (FileRefusalTraces traces = start(Limits.USUAL)) {
      assertThat(traces.find("old")).hasSize(1);
      time.advance(Duration.ofMinutes(2));
      assertThat(traces.find("old")).isEmpty();
      traces.record(trace("new", "demo", "bob", "192.0.2.1"));
      Eventually.holds(() -> traces.find("new").size() == 1);
      assertThat(files()).hasSize(1);
    }
  }

  @Test
  void theFolderStaysBelowItsBound() throws IOException {
    try (FileRefusalTraces traces = start(SMALL)) {
      for (int i = 0; i < 2000; i++) {
        // Each client has a rate of its own, and all have one together.
        time.advance(Duration.ofSeconds(1));
        traces.record(trace("id" + i, "demo", "person" + i, "192.0.2." + i % 250));
        if (i % 500 == 499) {
          String last = "id" + i;
          Eventually.holds(() -> traces.find(last).size() == 1);
        }
      }
      assertThat(traces.lost()).isZero();
    }
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    assertThat(bytes).isLessThan(30_000);
    try (FileRefusalTraces traces = start(SMALL)) {
      assertThat(traces.find("id1999")).hasSize(1);
      assertThat(traces.find("id0")).as("the oldest made room").isEmpty();
    }
  }

  @Test
  void aFloodFromOneAddressDisplacesNobody() throws IOException {
    FileRefusalTraces traces = start(Limits.USUAL);
    for (int i = 0; i < 3000; i++) {
      traces.record(trace("flood" + i, "demo", "eve", "192.0.2.66"));
    }
    traces.record(trace("mine", "demo", "bob", "192.0.2.1"));
    traces.close();
    assertThat(traces.find("mine")).hasSize(1);
    assertThat(traces.lost()).isGreaterThanOrEqualTo(2500);
  }

  @Test
  void aPersonIsForgottenInOneRealmAndNobodyElse() throws IOException {
    FileRefusalTraces traces = start(Limits.USUAL);
    IntStream.range(0, 100).forEach(i -> traces.record(trace("bob" + i, "demo", "bob", "192.0.2.1")));
    traces.record(trace("al", "demo", "al", "192.0.2.1"));
    traces.record(trace("other", "second", "bob", "192.0.2.1"));
    traces.close();
    assertThat(traces.forget("demo", "nobody")).isZero();
    assertThat(traces.forget("demo", "bob")).isEqualTo(100);
    assertThat(traces.forget("second", "idp!bob")).isEqualTo(1);
    assertThat(traces.find("bob7")).isEmpty();
    assertThat(people(traces.find("al"))).containsExactly("al");
    assertThat(files()).hasSize(1);
  }

  @Test
  void damageAndATornLineLoseTheirOwnTracesOnly() throws IOException {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      try (FileRefusalTraces traces = start(Limits.USUAL)) {
        ids.add("id" + i);
        traces.record(trace("id" + i, "demo", "bob", "192.0.2.1"));
      }
    }
    Path file = files().getFirst();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    Files.writeString(file, "0123456789 torn", StandardOpenOption.APPEND);
    try (FileRefusalTraces traces = start(Limits.USUAL)) {
      traces.record(trace("after", "demo", "bob", "192.0.2.1"));
      Eventually.holds(() -> traces.find("after").size() == 1);
      assertThat(traces.find(ids.getFirst())).hasSize(1);
      assertThat(traces.find(ids.get(1))).isEmpty();
      assertThat(traces.find(ids.getLast())).hasSize(1);
    }
  }

  @Test
  void withoutSpaceTracesAreLostAndCounted() throws IOException {
    low.set(true);
    FileRefusalTraces traces = start(Limits.USUAL);
    traces.record(trace("abc", "demo", "bob", "192.0.2.1"));
    traces.close();
    assertThat(traces.lost()).isEqualTo(1);
    assertThat(traces.find("abc")).isEmpty();
    assertThat(traces.forget("demo", "bob")).isZero();
  }

  @Test
  void longTextsAreCut() {
    RefusalTrace long1 = trace("abc", "demo", "b".repeat(5000), "192.0.2.1");
    assertThat(long1.subject().orElseThrow().user()).hasSizeLessThan(500);
    List<String> many = IntStream.range(0, 1000).mapToObj(String::valueOf).toList();
    assertThat(new Subject("p", "", "", "", many, Optional.empty()).roles()).hasSize(40);
  }
}
