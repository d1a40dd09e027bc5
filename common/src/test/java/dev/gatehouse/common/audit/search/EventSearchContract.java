package dev.gatehouse.common.audit.search;

import static dev.gatehouse.common.audit.search.FoundEvents.all;
import static dev.gatehouse.common.audit.search.FoundEvents.down;
import static dev.gatehouse.common.audit.search.FoundEvents.seqs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.JsonLinesAuditLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a search of the audit log finds, wherever the events are. */
@Timeout(120)
public abstract class EventSearchContract {

  protected static final Duration KEEP = Duration.ofDays(36_500);

  @TempDir protected Path root;
  protected final TestTime time = new TestTime();
  protected JsonLinesAuditLog log;
  private EventSearch search;
  private Following following;

  /** Makes all events findable that the log has. */
  public interface Following {
    void follow() throws Exception;
  }

  /** A search, and what follows the log. */
  public record Opened(EventSearch search, Following following) {}

  /** Opens the search over the log. */
  protected abstract Opened open(JsonLinesAuditLog opened, AuditSegments segments, Set<String> leftOut);

  private void follow() throws Exception {
    following.follow();
  }

  @BeforeEach
  final void openLog() {
    log = new JsonLinesAuditLog(root, Optional.of(root.resolve("head")), 20_000, KEEP, time);
    Opened opened = open(log, new AuditSegments(root, Optional.empty()), Set.of("LogoutPropagated"));
    search = opened.search();
    following = opened.following();
  }

  @AfterEach
  final void closeLog() {
    search.close();
    log.close();
  }

  private void login(String person, String address) {
    log.record(
        new AuditEvent.LoginSucceeded(new Context("demo", address, Optional.of("ref-" + person)), person, "name-" + person, "password", "s"));
  }

  private void fill(int count) {
    for (int i = 0; i < count; i++) {
      login("person" + i % 10, "192.0.2." + i % 4);
      time.advance(Duration.ofSeconds(1));
    }
  }

  private static AuditQuery query(Map<AuditTerm, String> terms, int limit) {
    return new AuditQuery(terms, Instant.EPOCH, Instant.parse("9999-01-01T00:00:00Z"), Optional.empty(), limit);
  }

  private List<Long> found(AuditTerm term, String value) throws IOException {
    return seqs(search.search(query(Map.of(term, value), 1000)));
  }

  private List<Long> found(Map<AuditTerm, String> terms) throws IOException {
    return seqs(search.search(query(terms, 1000)));
  }

  @Test
  void nothingIsFoundInAnEmptyLog() throws Exception {
    follow();
    assertThat(found(AuditTerm.PERSON, "alice")).isEmpty();
    assertThat(found(Map.of())).isEmpty();
    assertThat(search.coverage(time.instant()).isComplete()).isTrue();
  }

  @Test
  void eventsAreFoundByEachTerm() throws Exception {
    fill(20);
    Context context = new Context("demo", "192.0.2.9", Optional.of("k7qf2m8cwb"));
    log.record(new AuditEvent.LoginRefused(context, "somebody", "password", "WRONG_PASSWORD"));
    log.record(new AuditEvent.TokensIssued(context, "shop", "code", "person3", "t", "openid"));
    log.record(new AuditEvent.AssertionIssued(context, "person3", "https://sp.example.org", "a", "s"));
    log.record(new AuditEvent.ClientChanged(context, "shop", "changed", "client"));
    follow();
    assertThat(found(AuditTerm.PERSON, "person3")).containsExactly(23L, 22L, 14L, 4L);
    assertThat(found(AuditTerm.PERSON, "name-person3")).as("the name, too").containsExactly(14L, 4L);
    assertThat(found(AuditTerm.PERSON, "somebody")).containsExactly(21L);
    assertThat(found(AuditTerm.PARTNER, "https://sp.example.org")).containsExactly(23L);
    assertThat(found(AuditTerm.PARTNER, "shop")).containsExactly(24L, 22L);
    assertThat(found(AuditTerm.CLIENT, "shop")).containsExactly(24L, 22L);
    assertThat(found(AuditTerm.CLIENT, "https://sp.example.org")).as("no client").isEmpty();
    assertThat(found(AuditTerm.REQUEST_ID, "k7qf2m8cwb")).containsExactly(24L, 23L, 22L, 21L);
    assertThat(found(AuditTerm.REASON, "WRONG_PASSWORD")).containsExactly(21L);
    assertThat(found(AuditTerm.ADDRESS, "192.0.2.9")).hasSize(4);
    assertThat(found(AuditTerm.EVENT, "LoginSucceeded")).isEqualTo(down(20, 1));
    assertThat(found(AuditTerm.EVENT, "LoginRefused")).containsExactly(21L);
    assertThat(found(AuditTerm.REALM, "demo")).hasSize(24);
    assertThat(found(AuditTerm.REALM, "other")).isEmpty();
    assertThat(found(AuditTerm.PERSON, "' or 1=1 --")).isEmpty();
    assertThat(found(Map.of(AuditTerm.PERSON, "person3", AuditTerm.ADDRESS, "192.0.2.9"))).containsExactly(23L, 22L);
    assertThat(found(Map.of(AuditTerm.PERSON, "person3", AuditTerm.CLIENT, "shop", AuditTerm.REALM, "demo"))).containsExactly(22L);
    assertThat(found(Map.of(AuditTerm.EVENT, "LoginRefused", AuditTerm.REASON, "WRONG_PASSWORD", AuditTerm.ADDRESS, "192.0.2.1"))).isEmpty();
    assertThat(search.coverage(time.instant()).isComplete()).isTrue();
  }

  @Test
  void answersAreTheLinesOfTheLog() throws Exception {
    fill(100);
    follow();
    Set<String> lines = new HashSet<>();
    try (Stream<Path> files = Files.list(root)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".jsonl")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(search.search(query(Map.of(), 1000)).events())
        .hasSize(100)
        .allSatisfy(line -> assertThat(lines).contains(new String(line, StandardCharsets.US_ASCII)));
  }

  @Test
  void pagesGoThroughAllEventsOfManyDaysTheNewestFirst() throws Exception {
    for (int day = 0; day < 5; day++) {
      fill(100);
      time.advance(Duration.ofDays(1));
    }
    follow();
    assertThat(all(search, query(Map.of(), 7))).isEqualTo(down(500, 1));
    assertThat(all(search, query(Map.of(AuditTerm.PERSON, "person4"), 3))).hasSize(50).doesNotHaveDuplicates();
    Instant from = TestTime.START.plus(Duration.ofDays(1));
    AuditQuery between = new AuditQuery(Map.of(), from, from.plus(Duration.ofDays(2)), Optional.empty(), 1000);
    assertThat(seqs(search.search(between))).isEqualTo(down(300, 101));
  }

  @Test
  void eventsOfOneMomentAreOnDifferentPagesOnce() throws Exception {
    for (int i = 0; i < 50; i++) {
      login("alice", "192.0.2.1");
    }
    follow();
    assertThat(all(search, query(Map.of(), 7))).isEqualTo(down(50, 1));
    assertThat(all(search, query(Map.of(AuditTerm.PERSON, "alice"), 7))).isEqualTo(down(50, 1));
  }

  @Test
  void eventsAreInTheOrderOfTheirTimesAlsoIfTheClockWasSetBackOrIsAYearOff() throws Exception {
    fill(3);
    time.advance(Duration.ofDays(400));
    fill(3);
    time.advance(Duration.ofDays(-402));
    fill(3);
    time.advance(Duration.ofDays(2));
    follow();
    assertThat(found(Map.of())).containsExactly(6L, 5L, 4L, 3L, 2L, 1L, 9L, 8L, 7L);
  }

  @Test
  void whatPeopleChooseIsFoundAsItIs() throws Exception {
    List<String> names =
        List.of("nul\u0000byte", "\u0000", "\\u0000", "tab\tnew\nline\r", "quote\"back\\slash", "\ud83d\ude00", "lone\ud800", "\\.", "\\N", "", "%_*'",
            "x".repeat(1999), "\u202eright");
    for (String name : names) {
      log.record(new AuditEvent.LoginRefused(new Context("demo", "192.0.2.1", Optional.empty()), name, "password", "WRONG_PASSWORD"));
      time.advance(Duration.ofSeconds(1));
    }
    follow();
    for (int i = 0; i < names.size(); i++) {
      if (!names.get(i).contains("\ud800")) {
        assertThat(found(AuditTerm.PERSON, names.get(i))).as(names.get(i)).containsExactly(i + 1L);
      }
    }
    assertThat(found(AuditTerm.REASON, "WRONG_PASSWORD")).hasSize(names.size());
  }

  @Test
  void whatIsNotSearchableIsNotFound() throws Exception {
    fill(1);
    log.record(new AuditEvent.LogoutPropagated(new Context("demo", "192.0.2.1", Optional.empty()), "person1", "https://sp.example.org", "ok"));
    fill(1);
    follow();
    assertThat(found(Map.of())).containsExactly(3L, 1L);
    assertThat(search.coverage(time.instant()).isComplete()).isTrue();
  }

  /** A page that has no time at all comes further all the same. */
  @Test
  void aSearchThatTakesLongGoesOnWithTheNextPage() throws Exception {
    for (int day = 0; day < 10; day++) {
      fill(10);
      time.advance(Duration.ofDays(1));
    }
    follow();
    AuditQuery next = query(Map.of(AuditTerm.PERSON, "nobody"), 10);
    int pages = 0;
    for (AuditPage page = search.search(next, Duration.ZERO); page.next().isPresent(); page = search.search(next, Duration.ZERO)) {
      assertThat(page.lookedBackTo()).isPresent();
      next = next.after(page.next().get());
      assertThat(++pages).isLessThan(100);
    }
  }

  @Test
  void aCursorFromNowhereFindsNothing() throws Exception {
    fill(3);
    follow();
    for (String odd : List.of("-1-5", "0-0", "9223372036854775807-1", "1-2147483647-9223372036854775807")) {
      Optional<AuditQuery.Cursor> cursor = AuditQuery.Cursor.parse(odd);
      if (cursor.isPresent()) {
        assertThat(seqs(search.search(query(Map.of(), 10).after(cursor.get()))).size()).as(odd).isIn(0, 3);
      }
    }
  }
}
