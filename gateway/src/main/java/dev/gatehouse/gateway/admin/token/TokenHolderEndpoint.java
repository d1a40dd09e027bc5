package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.StandIn;
import dev.gatehouse.common.admin.TokenDesk.TokenHolderView;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/tokens/people}: what counts for a person with tokens, whichever of them it is. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/tokens/people", produces = "application/json")
@Tag(name = "tokens")
public final class TokenHolderEndpoint {

  private static final Duration LONGEST = Duration.ofDays(30);
  private static final Duration USUAL = Duration.ofDays(1);
  private static final int MOST_CODES = 20;
  private static final int USUAL_CODES = 10;
  private static final String PERSON = "User name or id";

  /** A PIN. */
  @Schema(name = "TemporaryPin")
  public record TemporaryPin(
      @Schema(description = "Shown this once: tell it the person, who chooses another one at the next login") String pin) {
    @Override
    public String toString() {
      return "TemporaryPin";
    }
  }

  /** What shall stand in for tokens. */
  @Schema(name = "StandInOrder")
  public record StandInOrder(
      @Schema(
              description = "password: one that counts until its end; codes: a sheet of codes that count once each",
              allowableValues = {"password", "codes"})
          String kind,
      @Schema(description = "Number of codes, 1 to 20; default 10") Optional<Integer> codes,
      @Schema(description = "When it ends, within 30 days; default: in 24 hours, for codes in 30 days") Optional<Instant> until) {}

  /** What was forgotten. */
  @Schema(name = "UnlockedHolder")
  public record UnlockedHolder(@Schema(description = "Number of wrong passcodes that count no more") int forgotten) {}

  private final TokenAccess access;
  private final AdminAudit audit;
  private final InstantSource clock;

  TokenHolderEndpoint(TokenAccess access, AdminAudit audit, InstantSource clock) {
    this.access = access;
    this.audit = audit;
    this.clock = clock;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.HELPDESK)
  @Operation(operationId = "getTokenHolder", summary = "A person's tokens, PIN, wrong passcodes, lock, and what stands in for tokens")
  public TokenHolderView get(
      @PathVariable("realm") String realm, @Parameter(description = PERSON) @RequestParam("person") String person) {
    TokenDesk desk = access.desk(realm);
    return desk.holder(realm, access.person(realm, person).id());
  }

  @PostMapping("/pin")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "clearPin",
      summary = "Put a temporary PIN in place of a person's PIN, or make the first one; the next login asks for another one")
  @ApiResponse(responseCode = "200", description = "The temporary PIN, which nobody can read again")
  @ApiResponse(responseCode = "409", description = "The person has no token")
  public TemporaryPin clearPin(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    TokenDesk desk = access.desk(realm);
    PersonReference who = access.permittedPerson(realm, person);
    TokenHolderView before = desk.holder(realm, who.id());
    audit.record(realm, administrator, "token.clear-pin", details(who, "pin", before.pin() ? "chosen" : "none"));
    return new TemporaryPin(TokenAccess.accepted(desk.resetPin(realm, who.id())));
  }

  @PostMapping("/unlock")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "unlockTokenHolder", summary = "Forget a person's wrong passcodes, and end a lock")
  public UnlockedHolder unlock(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    TokenDesk desk = access.desk(realm);
    PersonReference who = access.permittedPerson(realm, person);
    String wrong = String.valueOf(desk.holder(realm, who.id()).wrongPasscodes());
    audit.record(realm, administrator, "token.unlock", details(who, "wrongPasscodes", wrong));
    return new UnlockedHolder(desk.unlock(realm, who.id()));
  }

  @PostMapping("/stand-in")
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(
      operationId = "createStandIn",
      summary = "A password with an end, or a sheet of codes, to be typed after the PIN while a token is lost; it replaces any before")
  @ApiResponse(responseCode = "200", description = "What stands in, which nobody can read again")
  @ApiResponse(responseCode = "409", description = "The person has no token")
  public StandIn standIn(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @RequestBody StandInOrder order,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    TokenDesk desk = access.desk(realm);
    boolean sheet = "codes".equals(order.kind());
    if (!sheet && !"password".equals(order.kind())) {
      throw new BadRequest("`kind` is password or codes.");
    }
    int codes = sheet ? order.codes().orElse(USUAL_CODES) : 0;
    if (sheet ? codes < 1 || codes > MOST_CODES : order.codes().isPresent()) {
      throw new BadRequest("`codes` is a number from 1 to " + MOST_CODES + ", and only of a sheet of codes.");
    }
    Instant now = clock.instant();
    Instant until = order.until().orElse(now.plus(sheet ? LONGEST : USUAL));
    if (!until.isAfter(now) || until.isAfter(now.plus(LONGEST))) {
      throw new BadRequest("`until` is a time within the next 30 days.");
    }
    PersonReference who = access.permittedPerson(realm, person);
    Map<String, String> details = new TreeMap<>(details(who, "kind", order.kind()));
    details.put("until", until.toString());
    details.put("codes", String.valueOf(codes));
    details.put("before", desk.holder(realm, who.id()).emergency().map(one -> one.kind() + " until " + one.until()).orElse("-"));
    audit.record(realm, administrator, "token.stand-in", details);
    return TokenAccess.accepted(desk.standIn(realm, who.id(), codes, until));
  }

  @DeleteMapping("/stand-in")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  @RequiresRole(value = AdministratorRole.HELPDESK, recentLogin = true)
  @Operation(operationId = "endStandIn", summary = "End what stands in for a person's tokens")
  @ApiResponse(responseCode = "204", description = "It counts no more")
  @ApiResponse(responseCode = "404", description = "There is nothing that stands in")
  public void endStandIn(
      @PathVariable("realm") String realm,
      @Parameter(description = PERSON) @RequestParam("person") String person,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    TokenDesk desk = access.desk(realm);
    PersonReference who = access.permittedPerson(realm, person);
    audit.record(realm, administrator, "token.end-stand-in", details(who, "kind", "-"));
    if (!desk.endStandIn(realm, who.id())) {
      throw new NotFound("Nothing stands in for the person's tokens.");
    }
  }

  private static Map<String, String> details(PersonReference who, String key, String value) {
    return Map.of("person", who.id(), "name", who.name(), key, value);
  }
}
