package dev.gatehouse.gateway.rotation;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.key.KeyFolder;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
import java.util.List;
import java.util.Optional;

/** Steps with the keys and the audit log of this process, audited as those of the command line. */
public final class StoredSteps implements KeySteps {

  private static final String COMMAND_LINE = "command line";
  private static final String NODE = "-";

  private final String realm;
  private final KeyUse use;
  private final KeyFolder folder;
  private final AuditLog audit;

  /** @param folder has the keys of that realm and use */
  public StoredSteps(String realm, KeyUse use, KeyFolder folder, AuditLog audit) {
    this.realm = realm;
    this.use = use;
    this.folder = folder;
    this.audit = audit;
  }

  @Override
  public List<ListedKey> take(RotationStep step) {
    return switch (folder.take(step, (before, after) -> record(step, before, after))) {
      case KeyFolder.Step.Done(KeyFolder.Ring after) -> ListedKey.of(after);
      case KeyFolder.Step.Refused(String why) -> throw new Refused("Nothing was changed: " + why + ".");
    };
  }

  private void record(RotationStep step, KeyFolder.Ring before, KeyFolder.Ring after) {
    AuditEvent.Context context = new AuditEvent.Context(realm, NODE, Optional.empty());
    audit.record(new AuditEvent.Administered(context, COMMAND_LINE, step.action(), step.details(use, before, after, true)));
  }
}
