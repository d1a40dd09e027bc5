package dev.gatehouse.gateway.admin.key;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyFolder;
import dev.gatehouse.common.key.KeyFolder.Ring;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /admin/v1/realms/{realm}/keys}: the keys that sign and decrypt for a realm, and the steps of their rotation. Keys that are
 * generated here lie in the node's data, wherever its configuration is; a key that the configuration names is replaced there.
 */
@RestController
@RequestMapping(path = "/admin/v1/realms/{realm}/keys", produces = "application/json")
@Tag(name = "keys", description = "The keys of a realm, and their rotation: next, promote, retire")
public final class KeyEndpoint {

  private static final String USE = "The use, like IDP_SIGNING";
  private static final String NOW =
      "true: although not everybody may know the next key, or although what the previous one signed may be valid; for a key that was stolen";

  /** Keys of a realm. */
  @Schema(name = "Keys")
  public record KeyList(
      @Schema(description = "By use; of each use the current one first. A use whose first key was not needed yet has none") List<KeyView> keys) {}

  private final Realms realms;
  private final FileKeyRings keys;
  private final InstantSource time;
  private final AdminAudit audit;

  KeyEndpoint(Realms realms, FileKeyRings keys, InstantSource time, AdminAudit audit) {
    this.realms = realms;
    this.keys = keys;
    this.time = time;
    this.audit = audit;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  @Operation(operationId = "listKeys", summary = "The keys of a realm, with the states of their rotation")
  public KeyList list(@PathVariable("realm") String realm) {
    Realm found = find(realm);
    return new KeyList(Arrays.stream(KeyUse.values()).filter(use -> has(found, use)).flatMap(use -> views(found, use)).toList());
  }

  @PostMapping("/{use}/next")
  @ResponseStatus(HttpStatus.CREATED)
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "prepareKey",
      summary = "Create the next key of a use and publish it",
      description = "Nothing is signed with it until it is promoted.")
  @ApiResponse(responseCode = "201", description = "The keys of that use; the next one is published within seconds")
  @ApiResponse(responseCode = "409", description = "There is a next key already, or the configuration names the key")
  public KeyList prepare(
      @PathVariable("realm") String realm,
      @Parameter(description = USE) @PathVariable("use") String use,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return step(realm, use, RotationStep.PREPARE, true, administrator);
  }

  @PostMapping("/{use}/promote")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "promoteKey",
      summary = "Make the next key of a use the current one",
      description = "The former one stays published. Refused until everybody has had time to fetch the next key (`safeFrom`), unless `now` is true.")
  @ApiResponse(responseCode = "200", description = "The keys of that use; the new one is in use within seconds")
  @ApiResponse(responseCode = "409", description = "There is no next key, or still a previous one, or it is too early, or the configuration names the key")
  public KeyList promote(
      @PathVariable("realm") String realm,
      @Parameter(description = USE) @PathVariable("use") String use,
      @Parameter(description = NOW) @RequestParam(name = "now", defaultValue = "false") boolean now,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return step(realm, use, RotationStep.PROMOTE, now, administrator);
  }

  @PostMapping("/{use}/retire")
  @RequiresRole(value = AdministratorRole.ADMIN, recentLogin = true)
  @Operation(
      operationId = "retireKey",
      summary = "Drop the previous key of a use",
      description =
          "What it signed is refused from then on; a key for encryption still decrypts for 15 days. Refused while something that it signed may be"
              + " valid (`safeFrom`), unless `now` is true.")
  @ApiResponse(responseCode = "200", description = "The keys of that use")
  @ApiResponse(responseCode = "409", description = "There is no previous key, or it is too early, or the configuration names the key")
  public KeyList retire(
      @PathVariable("realm") String realm,
      @Parameter(description = USE) @PathVariable("use") String use,
      @Parameter(description = NOW) @RequestParam(name = "now", defaultValue = "false") boolean now,
      @Parameter(hidden = true) @RequestAttribute(AdminKeyFilter.ADMINISTRATOR) String administrator) {
    return step(realm, use, RotationStep.RETIRE, now, administrator);
  }

  /**
   * Takes a step of the rotation.
   *
   * @param now whether also before it is safe
   */
  public KeyList step(String realm, String use, RotationStep step, boolean now, String administrator) {
    Realm found = find(realm);
    KeyUse wanted = use(found, use);
    KeyFolder folder =
        keys.folder(found, wanted)
            .orElseThrow(
                () ->
                    new Conflict(
                        "The configuration of the realm names this key: replace it there (keys.privateKey and keys.certificate, or keys.pkcs12)."));
    KeyFolder.Step taken =
        folder.take(
            step,
            (before, after) -> {
              Optional<Instant> safeFrom = step.safeFrom(wanted, before);
              if (!now && safeFrom.filter(time.instant()::isBefore).isPresent()) {
                throw new Conflict(early(step, safeFrom.get()));
              }
              audit.record(realm, administrator, step.action(), step.details(wanted, before, after, now));
            });
    return switch (taken) {
      case KeyFolder.Step.Done(Ring after) -> new KeyList(KeyView.of(wanted, after));
      case KeyFolder.Step.Refused(String why) -> throw new Conflict("Nothing was changed: " + why + ".");
    };
  }

  private static String early(RotationStep step, Instant safeFrom) {
    String why =
        step == RotationStep.PROMOTE
            ? "Some who verify with our keys may not know the next one before " + safeFrom + ", and would refuse what it signs."
            : "Something that the previous key signed may be valid until " + safeFrom + ", and would be refused.";
    return why + " Nothing was changed; now=true does it at once.";
  }

  private Stream<KeyView> views(Realm realm, KeyUse use) {
    return keys.folder(realm, use)
        .map(folder -> folder.find().stream().flatMap(ring -> KeyView.of(use, ring).stream()))
        .orElseGet(() -> Stream.of(KeyView.configured(use, keys.of(realm).current(use))));
  }

  private static boolean has(Realm realm, KeyUse use) {
    return use.isIdp() ? realm.idp().isPresent() : realm.sp().isPresent();
  }

  private static KeyUse use(Realm realm, String name) {
    return Arrays.stream(KeyUse.values())
        .filter(use -> has(realm, use) && use.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new NotFound(
                    "The realm has no keys of that use; uses are "
                        + Arrays.stream(KeyUse.values()).filter(use -> has(realm, use)).map(Enum::name).collect(Collectors.joining(", "))
                        + "."));
  }

  private Realm find(String realm) {
    return realms.find(realm).orElseThrow(() -> NotFound.realm(realm));
  }
}
