package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.gateway.admin.web.Conflict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Passcodes that were not accepted, counted from the audit log of all nodes: by the name that was typed, or by the way in. */
final class FailedPasscodes {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int PAGE = 1000;

  /** A report that takes longer says how far it looked back. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  /** Whoever types names at random fills no memory: further ones are counted together. */
  private static final int MOST_KEYS = 20_000;

  private static final String OTHERS = "(others)";

  /** What is counted by. */
  enum By {
    PERSON("name"),
    AGENT("by");

    private final String field;

    By(String field) {
      this.field = field;
    }
  }

  /**
   * The failures of one name or agent.
   *
   * @param key the name that was typed, {@code radius:NAME}, {@code agent:ID} or {@code login}
   * @param reasons numbers by reason
   */
  record Failures(String key, long failures, Map<String, Long> reasons) {}

  /**
   * All failures.
   *
   * @param lines the most first
   * @param isComplete whether all events of the period are counted
   * @param since the time up to which was looked back
   */
  record Counted(List<Failures> lines, boolean isComplete, Instant since) {}

  private final AuditSearch search;

  FailedPasscodes(AuditSearch search) {
    this.search = search;
  }

  Counted count(String realm, By by, Instant from, Instant to) throws IOException {
    EventSearch index =
        search
            .index()
            .orElseThrow(() -> new Conflict("This node has no index of its audit log: storage is volatile, or audit.searchable is 0d."));
    boolean whole = index.coverage(to).isComplete();
    EnumMap<AuditTerm, String> terms = new EnumMap<>(AuditTerm.class);
    terms.put(AuditTerm.EVENT, "PasscodeDecided");
    terms.put(AuditTerm.REALM, realm);
    AuditQuery query = new AuditQuery(terms, from, to, Optional.empty(), PAGE);
    Map<String, Map<String, Long>> counts = new HashMap<>();
    long begun = System.nanoTime();
    Optional<Instant> reached = Optional.empty();
    while (true) {
      Duration left = LONGEST.minusNanos(System.nanoTime() - begun);
      AuditPage page = index.search(query, left.isNegative() ? Duration.ZERO : left);
      page.events().forEach(event -> count(counts, by, event));
      if (page.next().isEmpty()) {
        break;
      }
      if (System.nanoTime() - begun >= LONGEST.toNanos()) {
        reached = page.next().map(cursor -> Instant.ofEpochMilli(cursor.millis()));
        break;
      }
      query = query.after(page.next().get());
    }
    List<Failures> lines =
        counts.entrySet().stream()
            .map(one -> new Failures(one.getKey(), one.getValue().values().stream().mapToLong(Long::longValue).sum(), one.getValue()))
            .sorted(Comparator.comparing(Failures::failures).reversed().thenComparing(Failures::key))
            .toList();
    return new Counted(lines, whole && reached.isEmpty(), reached.orElse(from));
  }

  private static void count(Map<String, Map<String, Long>> counts, By by, byte[] line) {
    JsonNode event = JSON.readTree(line);
    if (event.path("outcome").asString("").equals("refused")) {
      String key = event.path(by.field).asString("");
      String counted = counts.containsKey(key) || counts.size() < MOST_KEYS ? key : OTHERS;
      counts.computeIfAbsent(counted, k -> new TreeMap<>()).merge(event.path("detail").asString(""), 1L, Long::sum);
    }
  }
}
