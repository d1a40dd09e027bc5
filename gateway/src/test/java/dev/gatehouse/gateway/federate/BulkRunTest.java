package dev.gatehouse.gateway.federate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
import dev.gatehouse.gateway.federate.BulkRun.Paths;
import dev.gatehouse.gateway.federate.BulkRun.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkRunTest {

  /** Names everybody who does not begin with "no"; breaks down before the given batch, or never. */
  private static final class Names implements FederationEnd {
    private final Map<String, String> given = new HashMap<>();
    private int breakAt = -1;
    private int batches;

    @Override
    public List<Outcome> apply(List<Line> lines) {
      if (batches++ == breakAt) {
        throw new FederationEndFailed("broken by the test");
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Line line : lines) {
        if (line.local().startsWith("no")) {
          outcomes.add(new Outcome.Rejected(Reason.LOCAL_NAME_UNKNOWN));
        } else {
          boolean isNew = !given.containsKey(line.local());
          String name = given.computeIfAbsent(line.local(), l -> line.nameId().orElse("id-of-" + l));
          outcomes.add(new Outcome.Federated(name, isNew));
        }
      }
      return outcomes;
    }
  }

  private final Names giver = new Names();
  private final Names linker = new Names();
  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("pairs.csv"), text);
  }

  private Paths paths(boolean names) {
    return new Paths(
        folder.resolve("pairs.csv"),
        folder.resolve("journal"),
        folder.resolve("rejects"),
        names ? Optional.of(folder.resolve("names")) : Optional.empty());
  }

  private Result give() throws IOException {
    return new BulkRun(paths(true), Optional.of(giver), Optional.empty(), (done, all, soFar) -> {}).run("test");
  }

  private List<String> read(String name) throws IOException {
    return Files.readAllLines(folder.resolve(name));
  }

  @Test
  void oneEndGivesNamesForTheOther() throws IOException {
    file("alice,a\nnobody,n\n\nbob,\"b,b\",given\nx\n");
    assertThat(give()).isEqualTo(new Result(5, 2, 0, 2));
    assertThat(read("names")).containsExactly("a,id-of-alice", "\"b,b\",given");
    assertThat(read("rejects"))
        .containsExactly(
            "2,at the identity provider: nobody has that login name,\"nobody,n\"", "5,not two or three columns,x");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("names"))))
        .isEqualTo("rw-------");
  }

  @Test
  void theOtherEndLinksThem() throws IOException {
    file("alice,id-1\nnobody,id-2\n");
    Result result = new BulkRun(paths(false), Optional.empty(), Optional.of(linker), (d, a, r) -> {}).run("test");
    assertThat(result).isEqualTo(new Result(2, 1, 0, 1));
    assertThat(linker.given).containsExactly(Map.entry("alice", "id-1"));
  }

  @Test
  void bothEndsAtOnce() throws IOException {
    file("alice,a\nnobody,b\nbob,nowhere\n");
    Result result = new BulkRun(paths(false), Optional.of(giver), Optional.of(linker), (d, a, r) -> {}).run("test");
    assertThat(result).isEqualTo(new Result(3, 1, 0, 2));
    assertThat(linker.given).containsExactly(Map.entry("a", "id-of-alice"));
    assertThat(read("rejects"))
        .containsExactly(
            "2,at the identity provider: nobody has that login name,\"nobody,b\"",
            "3,at the service provider: nobody has that login name,\"bob,nowhere\"");
  }

  private static String many(int lines) {
    return IntStream.range(0, lines)
        .mapToObj(i -> (i % 100 == 7 ? "nobody" : "person") + i + ",p" + i)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void goesOnWhereItStopped() throws IOException {
    file(many(2300));
    giver.breakAt = 2;
    assertThatThrownBy(this::give).isInstanceOf(FederationEndFailed.class).hasMessageContaining("broken");
    assertThat(read("names")).hasSize(990);
    // As if it had been killed between two writes.
    Files.writeString(folder.resolve("names"), "half a li", StandardOpenOption.APPEND);
    Files.writeString(folder.resolve("rejects"), "9,x,half", StandardOpenOption.APPEND);
    Files.writeString(folder.resolve("journal"), "at 99 9", StandardOpenOption.APPEND);
    assertThat(give()).isEqualTo(new Result(2300, 2277, 0, 23));
    List<String> names = read("names");
    assertThat(names).hasSize(2277).doesNotHaveDuplicates();
    assertThat(names.getLast()).isEqualTo("p2299,id-of-person2299");
    assertThat(read("rejects")).hasSize(23);
    assertThat(giver.batches).as("two, the one that broke, and three").isEqualTo(6);
  }

  @Test
  void aBatchThatWasDoneButNotNotedIsNotDoneTwice() throws IOException {
    file(many(1200));
    giver.breakAt = 1;
    assertThatThrownBy(this::give).isInstanceOf(FederationEndFailed.class);
    // The node had done it.
    for (int i = 500; i < 1000; i++) {
      giver.given.put("person" + i, "id-of-person" + i);
    }
    Result result = give();
    assertThat(result.federated() + result.before()).isEqualTo(1188);
    assertThat(read("names")).hasSize(1188).doesNotHaveDuplicates();
  }

  @Test
  void aFinishedRunSaysItsResultAgain() throws IOException {
    file(many(20));
    Result first = give();
    assertThat(give()).isEqualTo(first);
    assertThat(giver.batches).isEqualTo(1);
  }

  @Test
  void theJournalIsOfOneFileAndOneRun() throws IOException {
    file(many(20));
    give();
    file(many(21));
    assertThatThrownBy(this::give).isInstanceOf(FederationEndFailed.class).hasMessageContaining("of another run");
    file(many(20));
    assertThatThrownBy(
            () -> new BulkRun(paths(true), Optional.of(giver), Optional.empty(), (d, a, r) -> {}).run("other"))
        .isInstanceOf(FederationEndFailed.class)
        .hasMessageContaining("of another run");
  }

  @Test
  void twoRunsDoNotShareAFile() throws IOException {
    file(many(20));
    try (BulkJournal held = new BulkJournal(folder.resolve("journal"), "x")) {
      assertThat(held.last()).isEqualTo(BulkJournal.State.NOTHING);
      assertThatThrownBy(this::give).isInstanceOf(FederationEndFailed.class).hasMessageContaining("Another run");
    }
  }

  @Test
  void tellsHowFarItIs() {
    StringWriter text = new StringWriter();
    AtomicLong nanos = new AtomicLong();
    ProgressLine bar = new ProgressLine(new PrintWriter(text), true, nanos::get);
    bar.at(100, 1000, new Result(500, 500, 0, 0));
    nanos.set(1_000_000_000L);
    bar.at(550, 1000, new Result(2750, 2740, 0, 10));
    assertThat(text.toString())
        .contains("[#################-------------]  55 %  2,750 lines, 2,250 a second, 10 rejected, 1 s left");
    text.getBuffer().setLength(0);
    ProgressLine log = new ProgressLine(new PrintWriter(text), false, nanos::get);
    log.at(100, 1000, new Result(500, 500, 0, 0));
    assertThat(text.toString()).isEmpty();
    log.at(1000, 1000, new Result(5000, 5000, 0, 0));
    assertThat(text.toString()).startsWith("100 %").doesNotContain("\u001b");
  }
}
