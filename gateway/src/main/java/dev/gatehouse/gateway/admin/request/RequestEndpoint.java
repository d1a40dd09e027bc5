package dev.gatehouse.gateway.admin.request;

import dev.gatehouse.common.audit.search.AuditQuery;
import dev.gatehouse.common.audit.search.AuditSearch;
import dev.gatehouse.common.audit.search.AuditTerm;
import dev.gatehouse.common.audit.search.EventSearch;
import dev.gatehouse.common.compute.ComputingThreads;
import dev.gatehouse.common.compute.Turn;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.refusal.RefusalTraces;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminProblems;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** {@code /admin/v1/requests/{id}}: why a request was refused, by the reference of its error page. */
@RestController
@RequestMapping(path = "/admin/v1/requests", produces = "application/json")
@Tag(name = "requests", description = "Refused requests of the last seven days at this node, by their ids")
public final class RequestEndpoint {

  private static final Duration SEARCHED = Duration.ofDays(7);
  private static final int MOST_EVENTS = 200;
  private static final int MOST_WAITING = 16;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<Map<String, Object>> EVENT = new TypeReference<>() {};

  private final RefusalTraces traces;
  private final AuditSearch search;
  private final InstantSource time;
  /** All refusals that are kept are read, up to 96 MB. */
  private final Turn turn = new Turn(ComputingThreads.of("request-search-", 1), MOST_WAITING, PATIENCE);

  RequestEndpoint(RefusalTraces traces, AuditSearch search, InstantSource time) {
    this.traces = traces;
    this.search = search;
    this.time = time;
  }

  /** An id that another realm has used as well tells nothing of it: what its realm does not permit is left out. */
  @GetMapping("/{id}")
  @RequiresRole(value = AdministratorRole.HELPDESK, checksRealms = true)
  @Operation(
      operationId = "getRequest",
      summary = "The refusals and audit events of a request, in the realms in which the key has the role")
  @ApiResponse(responseCode = "200", description = "OK")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public RequestView find(
      @Parameter(description = "The reference of an error page, or `X-Request-Id` of a response") @PathVariable("id") String id,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    if (!RequestId.isUsable(id)) {
      throw new NotFound("A request id has up to 64 letters, digits, - and _.");
    }
    try {
      return turn.read(() -> view(id, rights));
    } catch (IOException e) {
      throw new UncheckedIOException("The traces of refusals cannot be read", e);
    }
  }

  private RequestView view(String id, AdminRights rights) throws IOException {
    List<RefusalView> refusals =
        traces.find(id).stream().filter(trace -> maySee(rights, trace.realm())).map(RefusalView::of).toList();
    boolean isComplete = isComplete();
    List<Map<String, Object>> events = events(id, rights);
    if (refusals.isEmpty() && events.isEmpty()) {
      throw new NotFound(
          "Nothing is kept of a request " + id + ": it was not refused, or longer than seven days ago, or at another node.");
    }
    return new RequestView(id, refusals, events, isComplete);
  }

  private boolean isComplete() throws IOException {
    Optional<EventSearch> index = search.index();
    try {
      return index.isPresent() && index.get().coverage(time.instant()).isComplete();
    } catch (DataAccessException e) {
      return false;
    }
  }

  private List<Map<String, Object>> events(String id, AdminRights rights) throws IOException {
    Optional<EventSearch> index = search.index();
    if (index.isEmpty()) {
      return List.of();
    }
    Instant now = time.instant();
    AuditQuery query =
        new AuditQuery(
            Map.of(AuditTerm.REQUEST_ID, id), now.minus(SEARCHED), now.plusSeconds(1), Optional.empty(), MOST_EVENTS);
    return found(index.get(), query).stream()
        .flatMap(line -> event(line).stream())
        .filter(event -> maySee(rights, String.valueOf(event.getOrDefault("realm", AdminRights.NODE))))
        .toList();
  }

  /** While the database is away the refusals at this node are shown all the same, and the answer is not complete. */
  private static List<byte[]> found(EventSearch index, AuditQuery query) throws IOException {
    try {
      return index.search(query).events();
    } catch (DataAccessException e) {
      return List.of();
    }
  }

  private static Optional<Map<String, Object>> event(byte[] line) {
    try {
      return Optional.of(JSON.readValue(line, EVENT));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static boolean maySee(AdminRights rights, String realm) {
    return realm.equals(AdminRights.NODE)
        ? rights.mayEverywhere(AdministratorRole.HELPDESK)
        : rights.may(AdministratorRole.HELPDESK, realm);
  }
}
