package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.realm.file.FileRealms;
import dev.gatehouse.gateway.admin.ConfigurationControl;
import java.util.List;

/** Lets administrators query and trigger the loader of the configuration files. */
final class RealmReload implements ConfigurationControl {
  private final FileRealms realms;

  RealmReload(FileRealms realms) {
    this.realms = realms;
  }

  @Override
  public Status status() {
    FileRealms.Status status = realms.status();
    return new Status(
        status.acceptedAt(), status.rejection().map(FileRealms.Rejection::problems).orElse(List.of()), status.restartNeeded());
  }

  @Override
  public Proposal propose(String realm, String text) {
    var proposal = realms.propose(realm, text);
    return new Proposal(proposal.realm(), proposal.problems(), proposal.filledIn());
  }

  @Override
  public Status reload() {
    realms.reload();
    return status();
  }
}
