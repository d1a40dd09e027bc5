package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.Change;
import dev.gatehouse.common.admin.TokenDesk.TokenFields;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/tokens/{serial}/fields}: what a help desk may write at a token, and how far ahead its end may be. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/tokens/{serial}/fields", produces = "application/json")
@Tag(name = "tokens")
public final class TokenFieldsEndpoint {

  private static final int LONGEST_LABEL = 64;
  private static final int LONGEST_NOTE = 500;

  /** The fields. */
  @Schema(name = "TokenFieldsView")
  public record FieldsView(
      @Schema(description = "What is written on it, or who keeps it; up to 64 characters") Optional<String> label,
      @Schema(description = "For other help desks; up to 500 characters") Optional<String> note,
      @Schema(description = "Absent: it does not expire. A help desk may set it up to `otp.deskExpiry` ahead, an operator at will")
          Optional<Instant> expiresAt) {}

  private final TokenAccess access;
  private final AdminAudit audit;
  private final InstantSource clock;

  TokenFieldsEndpoint(TokenAccess access, AdminAudit audit, InstantSource clock) {
    this.access = access;
    this.audit = audit;
    this.clock = clock;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "getTokenFields", summary = "Label, note and end of a token")
  public ResponseEntity<FieldsView> get(@PathVariable("realm") String realm, @PathVariable("serial") String serial) {
    access.find(realm, serial);
    return tagged(fields(realm, serial));
  }

  private TokenFields fields(String realm, String serial) {
    return access.desk(realm).fields(realm, serial).orElseThrow(() -> TokenAccess.refused(TokenDesk.Refusal.TOKEN_UNKNOWN));
  }

  @PutMapping
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "putTokenFields", summary = "Change label, note and end of a token; the audit log has what was before")
  @ApiResponse(responseCode = "200", description = "The fields")
  @ApiResponse(responseCode = "403", description = "The end is further ahead than a help desk may set it")
  public ResponseEntity<FieldsView> put(
      @PathVariable("realm") String realm,
      @PathVariable("serial") String serial,
      @Parameter(description = "The `ETag` of the fields that the change was made for; without it, any")
          @RequestHeader(name = "If-Match")
          Optional<String> ifMatch,
      @RequestBody FieldsView wanted,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    TokenView token = access.permitted(realm, serial);
    TokenFields before = fields(realm, serial);
    if (ifMatch.filter(tag -> !tag.equals(tag(before))).isPresent()) {
      throw Precondition.failed("The fields have changed: read them again.", Map.of());
    }
    TokenFields after =
        new TokenFields(
            text(wanted.label(), "label", LONGEST_LABEL), text(wanted.note(), "note", LONGEST_NOTE), wanted.expiresAt());
    TokenEndpoint.requireStorable(wanted.expiresAt());
    requireAllowed(realm, before, after, rights);
    audit.record(realm, rights.administrator(), "token.fields", told(token, before, after));
    TokenAccess.accepted(access.desk(realm).change(realm, token, new Change.Describe(before, after)));
    return tagged(fields(realm, serial));
  }

  private static String text(Optional<String> text, String name, int longest) {
    String stripped = text.orElse("").strip();
    if (stripped.length() > longest || stripped.chars().anyMatch(Character::isISOControl)) {
      throw new BadRequest("`" + name + "` is one line of up to " + longest + " characters.");
    }
    return stripped;
  }

  /** The end of a token is a rule of the realm: a help desk helps over some weeks, and operators decide about years. */
  private void requireAllowed(String realm, TokenFields before, TokenFields after, AdminRights rights) {
    Instant now = clock.instant();
    Instant latest = now.plus(access.desk(realm).deskExpiry(realm));
    boolean isFree = after.expiresAt().equals(before.expiresAt()) || after.expiresAt().filter(end -> !end.isAfter(latest)).isPresent();
    if (!isFree) {
      rights.require(AdministratorRole.OPERATOR, realm);
    }
  }

  private static Map<String, String> told(TokenView token, TokenFields before, TokenFields after) {
    Map<String, String> told = new TreeMap<>();
    told.put("serial", token.serial());
    told.put("person", token.person().orElse("-"));
    changed(told, "label", before.label(), after.label());
    changed(told, "note", before.note(), after.note());
    changed(told, "expiresAt", end(before), end(after));
    return told;
  }

  private static String end(TokenFields fields) {
    return fields.expiresAt().map(Instant::toString).orElse("never");
  }

  private static void changed(Map<String, String> told, String name, String before, String after) {
    if (!before.equals(after)) {
      told.put(name + ".before", before);
      told.put(name + ".after", after);
    }
  }

  private static ResponseEntity<FieldsView> tagged(TokenFields fields) {
    FieldsView view = new FieldsView(Optional.of(fields.label()), Optional.of(fields.note()), fields.expiresAt());
    return ResponseEntity.ok().eTag(tag(fields)).body(view);
  }

  private static String tag(TokenFields fields) {
    return "\"" + Sha256.hex(fields.label() + "\n" + fields.note() + "\n" + end(fields)).substring(0, 16) + "\"";
  }
}
