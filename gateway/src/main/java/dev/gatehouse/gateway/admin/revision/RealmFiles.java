package dev.gatehouse.gateway.admin.revision;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.revision.RevisionViews.PlanView;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ResponseEntity;

/** Reads and changes files of one realm, for those that edit a part of its configuration. */
public final class RealmFiles {

  private final ConfigurationControl control;
  private final RevisionChanges changes;
  private final RevisionEndpoint revisions;

  RealmFiles(ConfigurationControl control, RevisionChanges changes, RevisionEndpoint revisions) {
    this.control = control;
    this.changes = changes;
    this.revisions = revisions;
  }

  /** Returns the path of the realm's own file. */
  public static String path(String realm) {
    return "realms/" + realm + ".yaml";
  }

  /** Returns the text of the realm's own file in use. */
  public String text(String realm) {
    return content(path(realm))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .orElseThrow(() -> NotFound.realm(realm));
  }

  /** Returns the content of a file of the configuration in use. */
  public Optional<byte[]> content(String path) {
    return Optional.ofNullable(control.files().files().get(path)).filter(file -> !file.isSecret()).map(FileTree.File::content);
  }

  /** Returns the entity tag of the revision in use. */
  public String tag() {
    return RevisionEndpoint.tag(changes.inUse());
  }

  /** Checks contents in place of those in use; nothing of them takes effect. */
  public ConfigurationControl.Plan plan(String realm, Map<String, byte[]> files, AdminRights rights) {
    if (!control.isChangeable() && !rights.mayEverywhere(AdministratorRole.ADMIN)) {
      throw new Conflict("The configuration is read from files: administrators of all realms try out changes there.");
    }
    return control.plan(files, false, Map.of(), changes.scope(rights, realm));
  }

  /** Returns the revision that a change was made for. */
  public long expected(String ifMatch) {
    return changes.expected(ifMatch);
  }

  /** Brings contents into use, as a new revision; answers as every change of the configuration does. */
  public ResponseEntity<PlanView> put(String realm, Map<String, byte[]> files, long expected, String reason, AdminRights rights) {
    ChangeScope scope = changes.scope(rights, realm);
    String why = RevisionChanges.reason(Optional.of(reason));
    ProposedChange change = new ProposedChange(expected, files, false, Map.of(), rights.administrator(), why, scope);
    return revisions.answer(expected, changes.apply(change), scope);
  }
}
