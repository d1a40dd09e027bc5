package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.audit.search.AuditPage;
import dev.gatehouse.common.audit.search.AuditQuery.Cursor;
import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.Coverage;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.common.compute.ComputingThreads;
import dev.gatehouse.common.compute.Turn;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.IncompleteAnswers;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** {@code /admin/v1/audit}: searches the audit log, the newest events first. */
@RestController
@RequestMapping(path = "/admin/v1/audit")
@Tag(name = "audit", description = "The audit log of this node; the search is one over all nodes that share a database")
public final class AuditEndpoint {

  private static final int MOST = 1000;

  /** A page that takes longer to find has what was found, and where the next one goes on. */
  private static final Duration LONGEST_SEARCH = Duration.ofMillis(200);

  /** So long one export searches before the next one's turn. */
  private static final Duration LONGEST_PART = Duration.ofSeconds(1);

  /** Searches that wait or run. */
  private static final int MOST_SEARCHES = 32;

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration USUAL_RANGE = Duration.ofDays(1);
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");
  private static final String FORMAT = "format";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private static final Map<String, AuditTerm> TERMS =
      Map.of(
          "person", AuditTerm.PERSON, "partner", AuditTerm.PARTNER, "client", AuditTerm.CLIENT, "requestId", AuditTerm.REQUEST_ID,
          "reason", AuditTerm.REASON, "address", AuditTerm.ADDRESS, "event", AuditTerm.EVENT, "realm", AuditTerm.REALM);

  private static final Set<String> PARAMETERS = Set.of("from", "to", "cursor", "limit", FORMAT);

  /** A page of events. */
  @Schema(name = "AuditEvents")
  record EventPage(
      @Schema(description = "The newest first, each as its line in the audit log") List<Map<String, Object>> events,
      @Schema(description = "Whether all events but those of the last seconds are in the index") boolean complete,
      @Schema(description = "Pass it as `cursor` for the next page; absent on the last one") Optional<String> next,
      @Schema(
              description = "The search took long and looked at events back to this time: the next page looks at older ones; else absent",
              format = "date-time")
          Optional<String> lookedBackTo,
      @Schema(description = "The nodes whose events are searched, where several share a database and no realm was named; else absent")
          Optional<List<NodeView>> nodes) {}

  /** Which events of a node can be found. */
  @Schema(name = "AuditedNode")
  record NodeView(
      @Schema(description = "Its `index`") int node,
      String host,
      @Schema(description = "Its events up to this time are found", format = "date-time") String until,
      @Schema(description = "How many of its events are not found yet, as far as it has said") long missing,
      @Schema(description = "Whether it has stopped in order, so that no later events are missing") boolean stopped) {

    static NodeView of(Coverage.NodeEvents node) {
      return new NodeView(node.node(), node.host(), node.until().toString(), node.missing(), node.isStopped());
    }
  }

  /** What was found, and among which events. */
  public record Answer(AuditPage page, Coverage coverage) {}

  private final AuditSearch search;
  private final AdminAudit audit;
  private final InstantSource time;
  private final Turn searches = new Turn(ComputingThreads.of("audit-search-", ComputingThreads.usual()), MOST_SEARCHES, PATIENCE);
  private final Turn pages = new Turn(ComputingThreads.of("audit-export-", 1), ExportPlaces.MOST, Duration.ofMinutes(1));
  private final ExportPlaces exports = new ExportPlaces();

  AuditEndpoint(AuditSearch search, AdminAudit audit, InstantSource time) {
    this.search = search;
    this.audit = audit;
    this.time = time;
  }

  /** Its parameters are a map, because they all have one form. */
  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(
      operationId = "searchAudit",
      summary = "Events of the audit log, the newest first: a page of them, or with `format` all of them as a stream",
      parameters = {
        @Parameter(in = ParameterIn.QUERY, name = "person", description = "The person's id, or the user name as it was typed"),
        @Parameter(in = ParameterIn.QUERY, name = "partner", description = "Entity ID of the partner, or ID of the OAuth client"),
        @Parameter(in = ParameterIn.QUERY, name = "client", description = "ID of the OAuth client"),
        @Parameter(in = ParameterIn.QUERY, name = "requestId", description = "The reference of an error page"),
        @Parameter(in = ParameterIn.QUERY, name = "reason", description = "A reason of a refusal", example = "WRONG_PASSWORD"),
        @Parameter(in = ParameterIn.QUERY, name = "address", description = "The client's address"),
        @Parameter(in = ParameterIn.QUERY, name = "event", description = "The kind of event", example = "LoginRefused"),
        @Parameter(
            in = ParameterIn.QUERY, name = "from", description = "Time (RFC 3339) of the oldest event; default: a day before `to`",
            schema = @Schema(type = "string", format = "date-time")),
        @Parameter(
            in = ParameterIn.QUERY, name = "to", description = "Time after the newest event; default: now",
            schema = @Schema(type = "string", format = "date-time")),
        @Parameter(in = ParameterIn.QUERY, name = "cursor", description = "`next` of the previous page"),
        @Parameter(
            in = ParameterIn.QUERY, name = "limit", schema = @Schema(type = "integer", minimum = "1"),
            description = "Maximum number of events: up to 1000, by default 100; with `format` any number, by default all"),
        @Parameter(
            in = ParameterIn.QUERY, name = "format",
            description = "`jsonl`: lines of JSON; `csv`: a table (RFC 4180); `cef`: Common Event Format",
            schema = @Schema(allowableValues = {"jsonl", "csv", "cef"}))
      })
  @ApiResponse(
      responseCode = "200",
      description = "The events",
      content = {
        @Content(mediaType = "application/json", schema = @Schema(implementation = EventPage.class)),
        @Content(mediaType = "application/jsonl", schema = @Schema(type = "string")),
        @Content(mediaType = "text/csv", schema = @Schema(type = "string")),
        @Content(mediaType = "text/plain", schema = @Schema(type = "string"))
      })
  @ApiResponse(responseCode = "409", description = "This node has no index of its audit log")
  @ApiResponse(responseCode = "503", description = "Others search, or export, at the moment: an administrator has two exports at a time")
  void search(
      @Parameter(hidden = true) @RequestParam Map<String, String> parameters,
      @Parameter(description = "The realm; - for the node itself, and without it all realms: both need the role in all realms")
          @RequestParam("realm")
          Optional<String> realm,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator,
      HttpServletResponse response)
      throws IOException {
    if (parameters.containsKey(FORMAT)) {
      export(parameters, realm, administrator, response);
    } else {
      page(find(parameters, realm), realm.isEmpty(), response);
    }
  }

  /**
   * Returns a page of events.
   *
   * @param parameters those of the operation
   * @param realm the one for which the role was checked; empty if it was checked for all
   */
  public Answer find(Map<String, String> parameters, Optional<String> realm) throws IOException {
    EventSearch index = index();
    requireKnown(parameters.keySet());
    AuditQuery query = query(parameters, realm, false);
    Coverage coverage = index.coverage(query.to());
    return new Answer(searches.read(() -> index.search(query, LONGEST_SEARCH)), coverage);
  }

  /**
   * Writes all events as {@code format} of the parameters says, as one stream. What fails after its begin was sent breaks the connection.
   */
  public void export(Map<String, String> parameters, Optional<String> realm, String administrator, HttpServletResponse response)
      throws IOException {
    EventSearch index = index();
    requireKnown(parameters.keySet());
    AuditQuery query = query(parameters, realm, true);
    EventFormat format = EventFormat.of(parameters.getOrDefault(FORMAT, ""));
    try (ExportPlaces.Place _ = exports.take(administrator)) {
      audit.record(realm.orElse("-"), administrator, "audit.export", parameters);
      try {
        export(index, query, format, response);
      } catch (IOException | RuntimeException | Error failure) {
        recordFailed(realm.orElse("-"), administrator, parameters, failure);
        throw failure;
      }
    }
  }

  /** Says in the audit log, too, that the reader did not get all events. */
  private void recordFailed(String realm, String administrator, Map<String, String> parameters, Throwable failure) {
    Map<String, String> details = new TreeMap<>(parameters);
    details.put("reference", RequestId.current().orElse("-"));
    try {
      audit.record(realm, administrator, "audit.export-failed", details);
    } catch (AuditUnavailable unavailable) {
      // What the export failed by says how it ends.
      failure.addSuppressed(unavailable);
    }
  }

  private EventSearch index() {
    return search
        .index()
        .orElseThrow(() -> new Conflict("This node has no index of its audit log: storage is volatile, or audit.searchable is 0d."));
  }

  private static void requireKnown(Set<String> names) {
    for (String name : names) {
      if (!TERMS.containsKey(name) && !PARAMETERS.contains(name)) {
        Set<String> known = new TreeSet<>(TERMS.keySet());
        known.addAll(PARAMETERS);
        throw new BadRequest("Parameters are " + String.join(", ", known) + ".");
      }
    }
  }

  private AuditQuery query(Map<String, String> parameters, Optional<String> realm, boolean isExport) {
    Instant to = time(parameters, "to").orElseGet(() -> time.instant().plusSeconds(1));
    Instant from = time(parameters, "from").orElseGet(() -> to.minus(USUAL_RANGE));
    if (!from.isBefore(to)) {
      throw new BadRequest("`from` is a time before `to`.");
    }
    EnumMap<AuditTerm, String> terms = new EnumMap<>(AuditTerm.class);
    TERMS.forEach((name, term) -> Optional.ofNullable(parameters.get(name)).ifPresent(value -> terms.put(term, value)));
    // The one for which the role was checked.
    realm.ifPresent(name -> terms.put(AuditTerm.REALM, name));
    Optional<Cursor> after = Optional.ofNullable(parameters.get("cursor")).map(AuditEndpoint::cursor);
    return new AuditQuery(terms, from, to, after, limit(parameters, isExport));
  }

  private static Cursor cursor(String text) {
    return Cursor.parse(text).orElseThrow(() -> new BadRequest("`cursor` is the `next` of a page."));
  }

  private static int limit(Map<String, String> parameters, boolean isExport) {
    String text = parameters.getOrDefault("limit", isExport ? String.valueOf(Integer.MAX_VALUE) : "100");
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && (isExport || limit <= MOST)) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Falls through to the message.
    }
    throw new BadRequest("limit is a number from 1 to " + MOST + "; an export may have more.");
  }

  private static Optional<Instant> time(Map<String, String> parameters, String name) {
    String text = parameters.get(name);
    if (text == null) {
      return Optional.empty();
    }
    try {
      Instant time = Instant.parse(text);
      if (!time.isBefore(Instant.EPOCH) && time.isBefore(END)) {
        return Optional.of(time);
      }
    } catch (DateTimeException e) {
      // Falls through to the message.
    }
    throw new BadRequest("`" + name + "` is a time like 2026-11-23T17:00:00Z, from 1970 to 9999.");
  }

  /** @param forAll whether the role was checked for all realms: nodes concern no administrator of a single one */
  private static void page(Answer answer, boolean forAll, HttpServletResponse response) throws IOException {
    AuditPage page = answer.page();
    response.setContentType("application/json");
    OutputStream out = response.getOutputStream();
    out.write("{\"events\":[".getBytes(StandardCharsets.US_ASCII));
    for (int i = 0; i < page.events().size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      out.write(page.events().get(i));
    }
    String next = page.next().map(cursor -> ",\"next\":\"" + cursor + "\"").orElse("");
    String lookedBackTo = page.lookedBackTo().map(time -> ",\"lookedBackTo\":\"" + time + "\"").orElse("");
    List<NodeView> known = answer.coverage().nodes().stream().map(NodeView::of).toList();
    String nodes = known.isEmpty() || !forAll ? "" : ",\"nodes\":" + JSON.writeValueAsString(known);
    out.write(("],\"complete\":" + answer.coverage().isComplete() + next + lookedBackTo + nodes + "}").getBytes(StandardCharsets.UTF_8));
  }

  /** Events of an export in its format, and where the next ones begin. */
  private record Lines(byte[] text, int events, Optional<Cursor> next) {}

  /** Reads pages one after the other, so that a slow reader holds a page and a place, and others' pages come between. */
  private void export(EventSearch index, AuditQuery query, EventFormat format, HttpServletResponse response) throws IOException {
    Lines lines = lines(index, limited(query, query.limit()), format);
    response.setContentType(format.contentType());
    IncompleteAnswers.sendInChunks(response);
    OutputStream out = response.getOutputStream();
    out.write(format.heading().getBytes(StandardCharsets.US_ASCII));
    out.write(lines.text());
    for (int left = query.limit() - lines.events(); lines.next().isPresent() && left > 0; left -= lines.events()) {
      lines = lines(index, limited(query.after(lines.next().get()), left), format);
      out.write(lines.text());
    }
  }

  private Lines lines(EventSearch index, AuditQuery query, EventFormat format) throws IOException {
    return pages.read(
        () -> {
          AuditPage page = index.search(query, LONGEST_PART);
          ByteArrayOutputStream text = new ByteArrayOutputStream();
          for (byte[] event : page.events()) {
            text.writeBytes(format.line(event));
            text.write('\n');
          }
          return new Lines(text.toByteArray(), page.events().size(), page.next());
        });
  }

  private static AuditQuery limited(AuditQuery query, int left) {
    return new AuditQuery(query.terms(), query.from(), query.to(), query.after(), Math.min(left, MOST));
  }
}
