package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.gateway.admin.token.FailureCounts.Origin;
import dev.gatehouse.gateway.admin.web.Conflict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Passcodes that were not accepted, counted from the audit log of all nodes: by the name that was typed, or by the way in. */
final class FailedPasscodes {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int PAGE = 1000;

  /** A report that takes longer says how far it looked back. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private static final String LOGIN = "LoginRefused";
  private static final String VISITOR = "VisitorDecided";

  /** Passcodes, those of visitors, and codes of apps after a password. */
  private static final List<String> KINDS = List.of("PasscodeDecided", VISITOR, LOGIN);

  private static final Duration LONGEST_EACH = LONGEST.dividedBy(KINDS.size());

  private static final String OFFLINE = "refused ";
  private static final String STRANGER = "UNKNOWN_PERSON";

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
    FailureCounts counts = new FailureCounts();
    Optional<Instant> reached = Optional.empty();
    for (String kind : KINDS) {
      // As far back as the kinds before, so that all are counted of the same period.
      Optional<Instant> before = reached;
      reached = count(index, new Period(realm, kind, before.orElse(from), to), by, counts).or(() -> before);
    }
    List<Failures> lines =
        counts
            .lines()
            .map(one -> new Failures(one.getKey(), one.getValue().values().stream().mapToLong(Long::longValue).sum(), one.getValue()))
            .sorted(Comparator.comparing(Failures::failures).reversed().thenComparing(Failures::key))
            .toList();
    return new Counted(lines, whole && reached.isEmpty(), reached.orElse(from));
  }

  private record Period(String realm, String kind, Instant from, Instant to) {}

  /** Returns how far back it came, if that is not the whole period. */
  private static Optional<Instant> count(EventSearch index, Period of, By by, FailureCounts counts) throws IOException {
    long begun = System.nanoTime();
    EnumMap<AuditTerm, String> terms = new EnumMap<>(AuditTerm.class);
    terms.put(AuditTerm.EVENT, of.kind());
    terms.put(AuditTerm.REALM, of.realm());
    AuditQuery query = new AuditQuery(terms, of.from(), of.to(), Optional.empty(), PAGE);
    while (true) {
      Duration left = LONGEST_EACH.minusNanos(System.nanoTime() - begun);
      AuditPage page = index.search(query, left.isNegative() ? Duration.ZERO : left);
      page.events().forEach(event -> count(counts, by, of.kind(), event));
      if (page.next().isEmpty()) {
        return Optional.empty();
      }
      if (System.nanoTime() - begun >= LONGEST_EACH.toNanos()) {
        return page.next().map(cursor -> Instant.ofEpochMilli(cursor.millis()));
      }
      query = query.after(page.next().get());
    }
  }

  private static void count(FailureCounts counts, By by, String kind, byte[] line) {
    JsonNode event = JSON.readTree(line);
    reason(kind, event)
        .ifPresent(
            reason -> {
              // Apps are asked for on pages of the login.
              String key = by == By.AGENT && kind.equals(LOGIN) ? "login" : event.path(by.field).asString("");
              Origin origin = kind.equals(VISITOR) ? Origin.VISITOR : reason.equals(STRANGER) ? Origin.STRANGER : Origin.PERSON;
              counts.count(origin, key, reason);
            });
  }

  /** Why a passcode or code was not accepted; empty if the event is about something else. */
  private static Optional<String> reason(String kind, JsonNode event) {
    if (kind.equals(LOGIN)) {
      return event.path("contract").asString("").equals("totp") ? Optional.of(event.path("reason").asString("")) : Optional.empty();
    }
    String detail = event.path("detail").asString("");
    return switch (event.path("outcome").asString("")) {
      case "refused" -> Optional.of(detail);
      // An agent without a server: the reason, and when. After a comma it says why it was not taken: then it is nobody's failure.
      case "offline" ->
          Optional.of(detail)
              .filter(text -> text.startsWith(OFFLINE) && !text.contains(","))
              .map(text -> text.substring(OFFLINE.length()).replaceFirst(" .*", ""));
      default -> Optional.empty();
    };
  }
}
