package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.TokenImport;
import dev.gatehouse.common.admin.TokenImport.Format;
import dev.gatehouse.common.admin.TokenImport.Imported;
import dev.gatehouse.common.admin.TokenImport.Order;
import dev.gatehouse.common.admin.TokenImport.Rejected;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.admin.job.JobEndpoint;
import dev.gatehouse.gateway.admin.job.JobView;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.JobWork.JobProgress;
import dev.gatehouse.gateway.admin.job.Jobs;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /admin/v1/realms/{realm}/tokens/import}: tokens by a file of their seeds. */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/tokens/import", produces = "application/json")
@Tag(name = "tokens")
public final class TokenImportEndpoint {

  private static final String UNCHANGED = " Nothing was imported.";

  /** A file of seeds. */
  @Schema(name = "TokenFile")
  public record TokenFile(
      @Schema(description = "pskc: XML by RFC 6030; csv: lines whose first one names the columns", allowableValues = {"pskc", "csv"})
          String format,
      @Schema(description = "The text of the file") String content,
      @Schema(description = "The password of an encrypted PSKC file") Optional<String> password,
      @Schema(description = "The pre-shared key of an encrypted PSKC file, in hex") Optional<String> key) {
    @Override
    public String toString() {
      return "TokenFile[" + format + "]";
    }
  }

  private final TokenAccess access;
  private final Optional<TokenImport> imports;
  private final Jobs jobs;
  private final AdminAudit audit;

  /** @param imports empty on a node without identity provider */
  TokenImportEndpoint(TokenAccess access, Optional<TokenImport> imports, Jobs jobs, AdminAudit audit) {
    this.access = access;
    this.imports = imports;
    this.jobs = jobs;
    this.audit = audit;
  }

  @PostMapping
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "importTokens",
      summary = "Start a job that adds the tokens of a PSKC or CSV file, which belong to nobody then",
      description =
          "It adds all tokens of the file or, if an entry is wrong, none, and says which; `onError=skip` leaves such entries out. Its"
              + " result has the numbers `read` and `imported`, and `rejected` entries with `number`, `serial` and `reason`: the first"
              + " 2,000 of `rejectedCount`.")
  @ApiResponse(responseCode = "202", description = "The job runs; `Location` is its address")
  @ApiResponse(responseCode = "409", description = "Such a job runs")
  public ResponseEntity<JobView> importTokens(
      @PathVariable("realm") String realm,
      @Parameter(
              description = "What becomes of a wrong entry",
              schema = @Schema(allowableValues = {"stop", "skip"}, defaultValue = "stop"))
          @RequestParam(name = "onError", defaultValue = "stop")
          String onError,
      @Parameter(description = "true: the job only says what it would do") @RequestParam(name = "dryRun", defaultValue = "false")
          boolean dryRun,
      @RequestBody TokenFile file,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    access.desk(realm);
    TokenImport here = imports.orElseThrow(NotFound::identityProvider);
    Order order = order(realm, file, OnError.of(onError) == OnError.SKIP, dryRun);
    audit.record(
        realm, rights.administrator(), "token.import",
        Map.of(
            "format", file.format(), "sha256", Sha256.hex(order.content()), "onError", onError, "dryRun", String.valueOf(dryRun)));
    JobRequest request = new JobRequest("token.import", Optional.of(realm), AdministratorRole.ADMIN, "tokens", rights);
    return JobEndpoint.accepted(jobs.start(request, progress -> run(here, order, progress)));
  }

  private static Order order(String realm, TokenFile file, boolean skip, boolean dryRun) {
    // Jackson passes null for a missing property, even if the component is not nullable.
    if (file.content() == null || file.content().isBlank()) {
      throw new BadRequest("`content` is the text of the file.");
    }
    Format format =
        switch (String.valueOf(file.format())) {
          case "pskc" -> Format.PSKC;
          case "csv" -> Format.CSV;
          default -> throw new BadRequest("`format` is pskc or csv.");
        };
    byte[] content = file.content().getBytes(StandardCharsets.UTF_8);
    return new Order(realm, format, content, file.password(), file.key().map(TokenImportEndpoint::key), skip, dryRun);
  }

  private static byte[] key(String hex) {
    try {
      return HexFormat.of().parseHex(hex.strip());
    } catch (IllegalArgumentException e) {
      throw new BadRequest("`key` is the pre-shared key in hex.");
    }
  }

  private static Map<String, Object> run(TokenImport imports, Order order, JobProgress progress) throws JobFailed {
    return switch (imports.run(order, progress::at)) {
      case Result.Refused<Imported, String>(String sentence) -> throw new JobFailed(sentence + UNCHANGED);
      case Result.Accepted<Imported, String>(Imported imported) -> result(order, imported);
    };
  }

  private static Map<String, Object> result(Order order, Imported imported) throws JobFailed {
    List<Rejected> rejected = imported.rejected();
    if (!rejected.isEmpty() && !order.skip() && !order.dryRun()) {
      throw new JobFailed(RejectedEntries.named(rejected) + UNCHANGED);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("read", imported.read());
    result.put("imported", imported.imported());
    RejectedEntries.put(result, rejected);
    return result;
  }
}
