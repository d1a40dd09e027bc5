package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.gateway.admin.revision.RealmEntries.EntryChange;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/configuration/realms}: single partners, clients, providers, policies and routes, with the keys of the configuration. */
@RestController
@RequestMapping(path = "/admin/v1/configuration/realms/{realm}/{kind}", produces = "application/json")
@Tag(name = "entries", description = "Single partners, clients, providers, policies and routes, with the keys of the configuration")
public final class EntryEndpoint {

  private static final String CLIENT =
      """
      {"clientId": "wiki", "redirectUris": ["https://wiki.example.org/callback"], "scopes": ["openid", "profile"]}""";
  private static final String PARTNER =
      """
      {"entityId": "https://sp.example.org/metadata", "metadata": {"url": "https://sp.example.org/metadata"}, "release": ["uid"]}""";
  private static final String ROUTE =
      """
      {"name": "wiki", "path": "/wiki/", "upstream": "http://127.0.0.1:9000", "roles": ["staff"]}""";
  private static final String IF_MATCH = "The revision that the change was made for, in quotation marks";
  private static final String ID = "Its entityId, clientId, issuer or name; of a route without a name, its path";
  private static final String REASON = "Why, for people who read the revisions later";
  private static final String KIND = "partners, clients, providers, policies or routes";

  /** An entry. */
  @Schema(name = "Entry")
  public record EntryView(String id, @Schema(description = "The keys of the configuration; secrets are ***") Map<String, Object> value) {}

  /** A page of entries. */
  @Schema(name = "Entries")
  public record EntryPage(
      @Schema(description = "Ordered by id") List<EntryView> entries,
      @Schema(description = "Pass it as `after` for the next page; absent on the last one") Optional<String> next) {}

  private final RealmEntries entries;
  private final RevisionChanges changes;
  private final RevisionEndpoint revisions;

  EntryEndpoint(RealmEntries entries, RevisionChanges changes, RevisionEndpoint revisions) {
    this.entries = entries;
    this.changes = changes;
    this.revisions = revisions;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listEntries", summary = "A page of a realm's partners, clients, providers, policies or routes")
  public ResponseEntity<EntryPage> page(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = KIND, schema = @Schema(allowableValues = {"partners", "clients", "providers", "policies", "routes"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "Maximum number of entries, up to 500") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    long inUse = changes.inUse();
    NavigableMap<String, Map<String, Object>> all = entries.all(realm, EntryKind.of(kind)).tailMap(after, after.isEmpty());
    EntryPage page =
        Paging.page(
            limit,
            most -> all.entrySet().stream().limit(most).map(entry -> new EntryView(entry.getKey(), entry.getValue())).toList(),
            EntryView::id,
            EntryPage::new);
    return ResponseEntity.ok().eTag(RevisionEndpoint.tag(inUse)).body(page);
  }

  @GetMapping("/entry")
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "getEntry", summary = "One partner, client, provider, policy or route")
  @ApiResponse(responseCode = "200", description = "The entry")
  @ApiResponse(responseCode = "404", description = "There is no such realm, list or entry")
  public ResponseEntity<EntryView> one(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = KIND, schema = @Schema(allowableValues = {"partners", "clients", "providers", "policies", "routes"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = ID) @RequestParam("id") String id) {
    long inUse = changes.inUse();
    Map<String, Object> entry = entries.one(realm, EntryKind.of(kind), id);
    return ResponseEntity.ok().eTag(RevisionEndpoint.tag(inUse)).body(new EntryView(id, entry));
  }

  @PutMapping("/entry")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "putEntry",
      summary = "Add an entry, or put it in the place of the one with its id, as a new revision",
      description = "The rest of the realm's file, with its comments, stays as it is.")
  @ApiResponse(responseCode = "200", description = "Nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The entry is in use, in a new revision")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The configuration with the entry has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  ResponseEntity<PlanView> put(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = KIND, schema = @Schema(allowableValues = {"partners", "clients", "providers", "policies", "routes"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = ID) @RequestParam("id") String id,
      @Parameter(description = REASON) @RequestParam("reason") Optional<String> reason,
      @Parameter(description = IF_MATCH) @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @io.swagger.v3.oas.annotations.parameters.RequestBody(
              description = "The entry with the keys of the configuration",
              content =
                  @Content(
                      mediaType = "application/json",
                      examples = {
                        @ExampleObject(name = "clients", value = CLIENT),
                        @ExampleObject(name = "partners", value = PARTNER),
                        @ExampleObject(name = "routes", value = ROUTE)
                      }))
          @RequestBody
          Map<String, @Nullable Object> entry,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    EntryChange change = change(realm, kind, id, ifMatch, reason("Put", kind, id, reason), rights);
    return revisions.answer(change.expected(), entries.put(change, entry), change.scope());
  }

  @PatchMapping("/entry")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "patchEntry",
      summary = "Change an entry by a JSON merge patch (RFC 7396), as a new revision",
      description = "The rest of the realm's file, with its comments, stays as it is.")
  @ApiResponse(responseCode = "200", description = "Nothing differs from the revision in use")
  @ApiResponse(responseCode = "201", description = "The entry is in use, in a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm, list or entry")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The configuration with the entry has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  ResponseEntity<PlanView> patch(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = KIND, schema = @Schema(allowableValues = {"partners", "clients", "providers", "policies", "routes"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = ID) @RequestParam("id") String id,
      @Parameter(description = REASON) @RequestParam("reason") Optional<String> reason,
      @Parameter(description = IF_MATCH) @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @RequestBody Map<String, @Nullable Object> patch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    EntryChange change = change(realm, kind, id, ifMatch, reason("Patch", kind, id, reason), rights);
    return revisions.answer(change.expected(), entries.patch(change, patch), change.scope());
  }

  @DeleteMapping("/entry")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(operationId = "deleteEntry", summary = "Remove an entry, as a new revision")
  @ApiResponse(responseCode = "201", description = "The configuration without it is in use, as a new revision")
  @ApiResponse(responseCode = "404", description = "There is no such realm, list or entry")
  @ApiResponse(responseCode = "409", description = "The configuration is read from files, where changes are made")
  @ApiResponse(responseCode = "412", description = "Another revision is in use; `changes` says what differs from that of `If-Match`")
  @ApiResponse(responseCode = "422", description = "The configuration without it has problems; nothing was changed")
  @ApiResponse(responseCode = "428", description = "`If-Match` is missing")
  public ResponseEntity<PlanView> remove(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = KIND, schema = @Schema(allowableValues = {"partners", "clients", "providers", "policies", "routes"}))
          @PathVariable("kind")
          String kind,
      @Parameter(description = ID) @RequestParam("id") String id,
      @Parameter(description = REASON) @RequestParam("reason") Optional<String> reason,
      @Parameter(description = IF_MATCH) @RequestHeader(name = "If-Match", defaultValue = "") String ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    EntryChange change = change(realm, kind, id, ifMatch, reason("Delete", kind, id, reason), rights);
    return revisions.answer(change.expected(), entries.remove(change), change.scope());
  }

  private EntryChange change(String realm, String kind, String id, String ifMatch, String reason, AdminRights rights) {
    long expected = changes.expected(ifMatch);
    return new EntryChange(realm, EntryKind.of(kind), id, expected, rights.administrator(), reason, changes.scope(rights, realm));
  }

  private static String reason(String what, String kind, String id, Optional<String> given) {
    return RevisionChanges.reason(given.or(() -> Optional.of(what + " " + kind + " " + (id.length() > 500 ? id.substring(0, 500) : id))));
  }
}
