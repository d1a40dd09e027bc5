package dev.gatehouse.gateway.admin.inspection;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.sp.inspection.Inspection;
import dev.gatehouse.sp.inspection.Replay;
import dev.gatehouse.sp.inspection.TestLogins;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/test-logins}: logins that show every check, and open no session. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/test-logins", produces = "application/json")
@Tag(name = "test logins", description = "Test logins with SAML and OpenID providers, check by check; they open no session")
public final class TestLoginEndpoint {

  /** A test login. */
  @Schema(name = "TestLogin")
  public record TestLoginView(
      String id,
      String identityProvider,
      @Schema(description = "Open it in a browser to begin") String url,
      Instant startedAt,
      @Schema(description = "Absent while the answer has not come") Optional<Inspection> inspection,
      @Schema(description = "Whether the answer can be saved as a file") boolean recorded) {

    static TestLoginView of(TestLogins.View login) {
      return new TestLoginView(
          login.id(), login.identityProvider(), login.url(), login.startedAt(), login.inspection(), login.isRecorded());
    }
  }

  /** The beginning of a test login. */
  @Schema(name = "NewTestLogin")
  public record NewTestLogin(
      @Schema(description = "Its entity ID, or the issuer of an OpenID provider", requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable String identityProvider) {}

  /** The passphrase of a file. */
  @Schema(name = "RecordingPassphrase")
  public record RecordingPassphrase(
      @Schema(description = "At least 12 characters", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String passphrase) {

    @Override
    public String toString() {
      return "RecordingPassphrase";
    }
  }

  /** A recorded test login as a file. */
  @Schema(name = "Recording")
  public record RecordingView(@Schema(description = "A JWE in compact form (RFC 7516), encrypted to the passphrase") String file) {}

  /** A recorded test login that is to be checked again. */
  @Schema(name = "NewReplay")
  public record NewReplay(
      @Schema(description = "As saved before", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String file,
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String passphrase) {

    @Override
    public String toString() {
      return "NewReplay";
    }
  }

  private final Realms realms;
  private final Optional<TestLogins> logins;
  private final AdminAudit audit;

  /** @param logins empty on a node without service provider */
  TestLoginEndpoint(Realms realms, Optional<TestLogins> logins, AdminAudit audit) {
    this.realms = realms;
    this.logins = logins;
    this.audit = audit;
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "beginTestLogin", summary = "Begin a test login with an identity provider")
  @ApiResponse(responseCode = "404", description = "The realm has no such identity provider or OpenID provider")
  public TestLoginView begin(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @RequestBody NewTestLogin test,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    Realm found = find(realm);
    String provider = given(test.identityProvider(), "identityProvider");
    audit.record(realm, administrator, "test-login.begin", Map.of("partner", provider));
    return logins()
        .begin(found, provider)
        .map(TestLoginView::of)
        .orElseThrow(() -> new NotFound("The realm has no identity provider " + provider + "."));
  }

  @GetMapping("/{id}")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "getTestLogin", summary = "A test login of the last hour, with the verdict of every check")
  public TestLoginView one(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "Its id") @PathVariable("id") String id) {
    return logins().find(find(realm), id).map(TestLoginView::of).orElseThrow(TestLoginEndpoint::gone);
  }

  @PostMapping("/{id}/recording")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "saveTestLogin", summary = "The answer as a file, to be checked again later")
  @ApiResponse(responseCode = "200", description = "The file")
  @ApiResponse(responseCode = "404", description = "There is no such test login, or its answer cannot be saved")
  public RecordingView save(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @Parameter(description = "Its id") @PathVariable("id") String id,
      @RequestBody RecordingPassphrase body,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    Realm found = find(realm);
    String passphrase = given(body.passphrase(), "passphrase");
    audit.record(realm, administrator, "test-login.save", Map.of("test", id));
    try {
      return logins().file(found, id, passphrase).map(RecordingView::new).orElseThrow(TestLoginEndpoint::gone);
    } catch (IllegalArgumentException e) {
      throw new BadRequest(String.valueOf(e.getMessage()));
    }
  }

  @PostMapping("/replay")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(
      operationId = "replayTestLogin",
      summary = "Check a saved answer again, with the present configuration, metadata and keys",
      description = "Checks run as of the time at which the answer came. Nothing is opened or consumed.")
  @ApiResponse(responseCode = "200", description = "What the checks find now")
  @ApiResponse(responseCode = "400", description = "The file is no recording of this realm, was changed, or has another passphrase")
  public Replay replay(
      @Parameter(description = "The realm") @PathVariable("realm") String realm,
      @RequestBody NewReplay body,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    Realm found = find(realm);
    String file = given(body.file(), "file");
    String passphrase = given(body.passphrase(), "passphrase");
    audit.record(realm, administrator, "test-login.replay", Map.of());
    return logins()
        .replay(found, file, passphrase)
        .orElseThrow(() -> new BadRequest("This is not a recording of the realm, it was changed, or the passphrase is another one."));
  }

  /** Members of a body may be null or absent. */
  private static String given(@Nullable String value, String name) {
    if (value == null) {
      throw new BadRequest("`" + name + "` is missing.");
    }
    return value;
  }

  private TestLogins logins() {
    return logins.orElseThrow(NotFound::serviceProvider);
  }

  private Realm find(String name) {
    return realms.find(name).orElseThrow(() -> NotFound.realm(name));
  }

  private static NotFound gone() {
    return new NotFound("There is no such test login, or no recording of its answer; test logins are kept for an hour.");
  }
}
