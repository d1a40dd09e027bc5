package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.realm.file.FileRealms;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Lets administrators query and trigger the loader of the configuration files. */
final class FileConfiguration implements ConfigurationControl {
  private final FileRealms realms;

  FileConfiguration(FileRealms realms) {
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
  public Plan plan(Map<String, byte[]> files, boolean complete) {
    ProposedFiles.Plan plan = realms.plan(files, complete);
    return new Plan(plan.tree(), plan.problems());
  }

  @Override
  public Path directory() {
    return realms.directory();
  }

  @Override
  public Status reload() {
    realms.reload();
    return status();
  }
}
