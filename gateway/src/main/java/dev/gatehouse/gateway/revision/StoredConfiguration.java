package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Lets administrators query and check a configuration that is in the database. */
public final class StoredConfiguration implements ConfigurationControl {
  private final StoredRealms realms;
  private final AdministratorGrants grants;

  /** @param grants of all nodes that use this database */
  public StoredConfiguration(StoredRealms realms, AdministratorGrants grants) {
    this.realms = realms;
    this.grants = grants;
  }

  @Override
  public Status status() {
    return FileConfiguration.status(realms.inUse());
  }

  @Override
  public Status reload() {
    realms.reload();
    return status();
  }

  @Override
  public Plan plan(Map<String, byte[]> proposed, boolean complete, Map<String, byte[]> secrets, ChangeScope scope) {
    return Plan.of(realms.plan(new ProposedChange(0, proposed, complete, secrets, "-", "-", scope)));
  }

  @Override
  public Proposal propose(String realm, String text, ChangeScope scope) {
    var proposal = realms.propose(realm, text, scope);
    return new Proposal(proposal.realm(), proposal.problems(), proposal.filledIn());
  }

  @Override
  public boolean isChangeable() {
    return true;
  }

  @Override
  public Optional<String> loginRealm() {
    return realms.inUse().node().listeners().adminLogin().map(AdminLogin::realm);
  }

  /** Each role counts, also one that has ended: until it is taken, the realm is one whose people are given roles. */
  @Override
  public boolean isOfAdministrators(String realm) {
    return loginRealm().filter(realm::equals).isPresent() || !grants.all(realm).isEmpty();
  }

  @Override
  public Optional<Problem> destination(String realm, String url) {
    return realms.inUse().destination(realm, url);
  }

  @Override
  public FileTree files() {
    return realms.inUse().files();
  }

  @Override
  public void onFiles(Consumer<FileTree> listener) {
    realms.inUse().onFiles(listener);
  }

  @Override
  public Path directory() {
    return realms.folder();
  }
}
