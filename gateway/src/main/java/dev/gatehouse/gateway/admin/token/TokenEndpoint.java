package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.Change;
import dev.gatehouse.common.admin.TokenDesk.TokenFilter;
import dev.gatehouse.common.admin.TokenDesk.TokenReport;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminProblems;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Paging;
import dev.gatehouse.gateway.admin.web.Precondition;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/tokens}: tokens that make one-time passwords. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/tokens", produces = "application/json")
@Tag(name = "tokens", description = "Tokens that make one-time passwords: who has which, and whether they count")
public final class TokenEndpoint {

  private static final String SERIAL = "Serial number";
  private static final String IF_MATCH = "The `ETag` of the token that the change was made for; without it, any";
  private static final String TAG = "^\"[0-9a-f]{16}\"$";
  /** Ends that databases and other programs can store. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");
  private static final Set<String> STATES = Set.of("enabled", "disabled", "lost", "expired");

  /** A page of tokens. */
  @Schema(name = "TokenPage")
  public record TokenPage(List<TokenView> tokens, @Schema(description = "`after` of the next page") Optional<String> next) {}

  /** Two successive codes. */
  @Schema(name = "TwoCodes")
  public record TwoCodes(
      @Schema(description = "A code of the token") String code, @Schema(description = "The one that it showed next") String next) {}

  /** The end of a token. */
  @Schema(name = "TokenExpiry")
  public record TokenExpiry(@Schema(description = "Absent: it does not expire") Optional<Instant> expiresAt) {}

  private final TokenAccess access;
  private final TokenReports reports;
  private final AdminAudit audit;

  TokenEndpoint(TokenAccess access, TokenReports reports, AdminAudit audit) {
    this.access = access;
    this.reports = reports;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "listTokens", summary = "A page of tokens by serial number")
  @ApiResponse(responseCode = "200", description = "OK")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public TokenPage page(
      @PathVariable("realm") String realm,
      @Parameter(description = "User name or id") @RequestParam(name = "person") Optional<String> person,
      @Parameter(description = "State", schema = @Schema(allowableValues = {"enabled", "disabled", "lost", "expired"}))
          @RequestParam(name = "state")
          Optional<String> state,
      @Parameter(description = "Whether they belong to somebody") @RequestParam(name = "assigned") Optional<Boolean> assigned,
      @Parameter(description = "Whether a code of theirs has counted") @RequestParam(name = "used") Optional<Boolean> used,
      @Parameter(description = "Time (RFC 3339): those that expire until then") @RequestParam(name = "expiresBefore")
          Optional<String> expiresBefore,
      @Parameter(description = "`next` of the previous page") @RequestParam(name = "after", defaultValue = "") String after,
      @Parameter(description = "500 at most") @RequestParam(name = "limit", defaultValue = "100") int limit) {
    if (state.filter(word -> !STATES.contains(word)).isPresent()) {
      throw new BadRequest("`state` is enabled, disabled, lost or expired.");
    }
    TokenFilter filter =
        new TokenFilter(
            person.map(name -> access.person(realm, name).id()), state, assigned, used, expiresBefore.map(TokenEndpoint::time));
    TokenDesk desk = access.desk(realm);
    return Paging.page(limit, most -> page(desk, realm, filter, after, most), TokenView::serial, TokenPage::new);
  }

  /** Whoever looks for what few tokens of a realm are reads all of them: no index has what changes with each use. */
  private List<TokenView> page(TokenDesk desk, String realm, TokenFilter filter, String after, int limit) {
    boolean isScan =
        filter.person().isEmpty()
            && (filter.state().isPresent() || filter.assigned().isPresent() || filter.used().isPresent() || filter.expiresBefore().isPresent());
    return reports.page(isScan, () -> desk.page(realm, filter, after, limit));
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new BadRequest("`expiresBefore` is a time like 2027-01-31T17:00:00Z.");
    }
  }

  @GetMapping("/report")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "reportTokens", summary = "Numbers of tokens: by state, expiring, never used; and of people who are locked")
  @ApiResponse(responseCode = "200", description = "The numbers as of `at`, up to a minute ago where there are many")
  @ApiResponse(responseCode = "503", description = AdminProblems.BUSY)
  public TokenReport report(@PathVariable("realm") String realm) {
    TokenDesk desk = access.desk(realm);
    return reports.counts(realm, () -> desk.report(realm));
  }

  @GetMapping("/{serial}")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "getToken", summary = "One token; its seed is never told")
  public ResponseEntity<TokenView> get(
      @PathVariable("realm") String realm, @Parameter(description = SERIAL) @PathVariable("serial") String serial) {
    return tagged(access.find(realm, serial));
  }

  @DeleteMapping("/{serial}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(operationId = "removeToken", summary = "Remove a token that belongs to nobody, with its seed")
  @ApiResponse(responseCode = "204", description = "It is removed")
  @ApiResponse(responseCode = "409", description = "It belongs to somebody")
  public void remove(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    change(new Wanted(realm, serial, ifMatch, administrator), "remove", Map.of(), new Change.Remove());
  }

  @PostMapping("/{serial}/assign")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "assignToken", summary = "Assign a token that belongs to nobody; of two at the same time, one gets it")
  @ApiResponse(responseCode = "200", description = "The token")
  @ApiResponse(responseCode = "409", description = "It belongs to somebody or is lost, or the person has five")
  public ResponseEntity<TokenView> assign(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = "User name or id") @RequestParam("person") String person,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    access.desk(realm);
    String id = access.permittedPerson(realm, person).id();
    return change(new Wanted(realm, serial, ifMatch, administrator), "assign", Map.of("to", id), new Change.Assign(id));
  }

  @PostMapping("/{serial}/unassign")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "unassignToken",
      summary = "Take a token back; it is disabled then, and the person's PIN goes with the last token")
  public ResponseEntity<TokenView> unassign(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return change(new Wanted(realm, serial, ifMatch, administrator), "unassign", Map.of(), new Change.Unassign());
  }

  @PostMapping("/{serial}/enable")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "enableToken", summary = "Let the codes of a token count")
  public ResponseEntity<TokenView> enable(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return change(new Wanted(realm, serial, ifMatch, administrator), "enable", Map.of(), new Change.Enable());
  }

  @PostMapping("/{serial}/disable")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "disableToken", summary = "Let the codes of a token count no more until it is enabled")
  public ResponseEntity<TokenView> disable(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return change(new Wanted(realm, serial, ifMatch, administrator), "disable", Map.of(), new Change.Disable());
  }

  @PostMapping("/{serial}/lost")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "markTokenLost", summary = "A person has lost a token: its codes count no more; `createStandIn` helps meanwhile")
  public ResponseEntity<TokenView> lose(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return change(new Wanted(realm, serial, ifMatch, administrator), "lost", Map.of(), new Change.Lose());
  }

  @PostMapping("/{serial}/found")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "markTokenFound",
      summary = "A lost token is back: its codes count again, and what stood in for it counts no more")
  public ResponseEntity<TokenView> found(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return change(new Wanted(realm, serial, ifMatch, administrator), "found", Map.of(), new Change.Find());
  }

  @PostMapping("/{serial}/replace")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "replaceToken",
      summary = "Assign another token in place of one, which is taken back, with what stood in for it, once a code of the other one counts")
  public ResponseEntity<TokenView> replace(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = "Serial number of an enabled token that belongs to nobody") @RequestParam("by") String by,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    access.find(realm, serial);
    access.find(realm, by);
    return change(new Wanted(realm, serial, ifMatch, administrator), "replace", Map.of("by", by), new Change.Replace(by));
  }

  @PostMapping("/{serial}/resynchronise")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "resynchroniseToken",
      summary = "Set clock or counter of a token by two successive codes, which count for nothing else then; of a token that answers "
          + "challenges, by its responses to the two of `challenges`")
  public ResponseEntity<TokenView> resynchronise(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @RequestBody TwoCodes codes,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    if (!isCode(codes.code()) || !isCode(codes.next())) {
      throw new BadRequest("`code` and `next` are codes of 4 to 10 digits.");
    }
    Change change = new Change.Resynchronise(codes.code(), codes.next());
    return change(new Wanted(realm, serial, ifMatch, administrator), "resynchronise", Map.of(), change);
  }

  /** Challenges. */
  @Schema(name = "TokenChallenges")
  public record TokenChallenges(
      @Schema(description = "Two, or none if the token shows codes without being asked, has no counter, or takes its person's PIN")
          List<String> challenges) {}

  @GetMapping("/{serial}/challenges")
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(
      operationId = "tokenChallenges",
      summary = "Read the two challenges whose responses are the two successive codes of a token that answers challenges and counts; the same "
          + "ones for some minutes")
  public TokenChallenges challenges(
      @PathVariable("realm") String realm, @Parameter(description = SERIAL) @PathVariable("serial") String serial) {
    access.permitted(realm, serial);
    return new TokenChallenges(access.desk(realm).challenges(realm, serial));
  }

  /** As {@link #challenges(String, String)} for a page: none where the administrator may not act on the person. */
  public List<String> shownChallenges(String realm, TokenView token) {
    return token.kind().equals("ocra") && access.mayActOn(realm, token) ? access.desk(realm).challenges(realm, token.serial()) : List.of();
  }

  private static boolean isCode(String text) {
    // Jackson passes null for a missing property, even if the component is not nullable.
    return text != null && text.matches("[0-9]{4,10}");
  }

  @PutMapping("/{serial}/expiry")
  @RequiresRole(value = AdministratorRole.OPERATOR, recentLogin = true)
  @Operation(operationId = "expireToken", summary = "Set or remove the end of a token")
  public ResponseEntity<TokenView> expire(
      @PathVariable("realm") String realm,
      @Parameter(description = SERIAL) @PathVariable("serial") String serial,
      @Parameter(description = IF_MATCH, schema = @Schema(pattern = TAG)) @RequestHeader(name = "If-Match") Optional<String> ifMatch,
      @RequestBody TokenExpiry expiry,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    requireStorable(expiry.expiresAt());
    String to = expiry.expiresAt().map(Instant::toString).orElse("never");
    return change(
        new Wanted(realm, serial, ifMatch, administrator), "expire", Map.of("expires", to), new Change.Expire(expiry.expiresAt()));
  }

  static void requireStorable(Optional<Instant> expiresAt) {
    if (expiresAt.filter(end -> end.isBefore(EARLIEST) || !end.isBefore(LATEST)).isPresent()) {
      throw new BadRequest("`expiresAt` is a time from 2000 to 2199, or is left out.");
    }
  }

  /** What a request is about. */
  private record Wanted(String realm, String serial, Optional<String> ifMatch, String administrator) {}

  private ResponseEntity<TokenView> change(Wanted wanted, String word, Map<String, String> details, Change change) {
    TokenView before = access.permitted(wanted.realm(), wanted.serial());
    if (wanted.ifMatch().filter(tag -> !tag.equals(tag(before))).isPresent()) {
      throw Precondition.failed("The token has changed: read it again.", Map.of());
    }
    Map<String, String> all = new TreeMap<>(details);
    all.put("serial", before.serial());
    all.put("person", before.person().orElse("-"));
    all.put("state", before.state());
    before.expiresAt().ifPresent(end -> all.put("expired", end.toString()));
    audit.record(wanted.realm(), wanted.administrator(), "token." + word, all);
    return tagged(TokenAccess.accepted(access.desk(wanted.realm()).change(wanted.realm(), before, change)));
  }

  private static ResponseEntity<TokenView> tagged(TokenView token) {
    return ResponseEntity.ok().eTag(tag(token)).body(token);
  }

  /** A digest of what an administrator sees of the token, without its last use. */
  private static String tag(TokenView token) {
    String text = token.state() + "\n" + token.person() + "\n" + token.expiresAt() + "\n" + token.replaces();
    return "\"" + Sha256.hex(text).substring(0, 16) + "\"";
  }
}
