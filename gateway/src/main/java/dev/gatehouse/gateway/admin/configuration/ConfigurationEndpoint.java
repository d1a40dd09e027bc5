package dev.gatehouse.gateway.admin.configuration;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/configuration}: shows the configuration in use and the problems of the files, and reads them again.
 */
@RestController
@RequestMapping(path = "/admin/v1/configuration", produces = "application/json")
@Tag(name = "configuration", description = "The configuration files and the revisions in use")
public final class ConfigurationEndpoint {

  /** The configuration's state. */
  @Schema(name = "Configuration")
  public record ConfigurationView(
      @Schema(description = "Whether the files that were last read are in use") boolean accepted,
      @Schema(description = "The time since which these revisions are in use") Instant since,
      @Schema(description = "Whether gatehouse.yaml has changed, which takes effect after a restart") boolean restartNeeded,
      @Schema(description = "Realm names and the revisions in use") Map<String, String> revisions,
      @Schema(description = "The problems of the files when they were last read") List<ProblemView> problems) {}

  private final Realms realms;
  private final ConfigurationControl control;
  private final AdminAudit audit;

  ConfigurationEndpoint(Realms realms, ConfigurationControl control, AdminAudit audit) {
    this.realms = realms;
    this.control = control;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(value = AdministratorRole.VIEWER, checksRealms = true)
  @Operation(operationId = "getConfiguration", summary = "Revisions in use, and problems of the files, of the realms that the key may read")
  public ConfigurationView status(@Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    return view(control.status(), rights);
  }

  @PostMapping("/reload")
  @RequiresRole(AdministratorRole.OPERATOR)
  @Operation(operationId = "reloadConfiguration", summary = "Read the files now")
  @ApiResponse(responseCode = "200", description = "The files are in use")
  @ApiResponse(responseCode = "422", description = "The files have problems; the previous revisions stay in use")
  ResponseEntity<ConfigurationView> reload(
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.RIGHTS) AdminRights rights) {
    audit.record("-", rights.administrator(), "configuration.reload", Map.of());
    ConfigurationView view = view(control.reload(), rights);
    return ResponseEntity.status(view.accepted() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT).body(view);
  }

  private ConfigurationView view(ConfigurationControl.Status status, AdminRights rights) {
    Map<String, String> revisions = new TreeMap<>();
    for (Realm realm : realms.all()) {
      if (rights.may(AdministratorRole.VIEWER, realm.name())) {
        revisions.put(realm.name(), realm.revision().value());
      }
    }
    return new ConfigurationView(
        status.problems().isEmpty(),
        status.since(),
        status.restartNeeded(),
        revisions,
        status.problems().stream().filter(problem -> maySee(rights, problem)).map(ProblemView::of).toList());
  }

  /** A problem of another file than a realm's is for those who may read all realms. */
  private static boolean maySee(AdminRights rights, Problem problem) {
    Path file = problem.file();
    return rights.mayEverywhere(AdministratorRole.VIEWER)
        || file.getNameCount() > 1
            && FileTree.realm(file.subpath(file.getNameCount() - 2, file.getNameCount()).toString())
                .filter(realm -> rights.may(AdministratorRole.VIEWER, realm))
                .isPresent();
  }
}
