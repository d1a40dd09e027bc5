package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.inuse.FileRealms;
import dev.gatehouse.common.realm.inuse.RealmsInUse;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Lets administrators query and trigger the loader of the configuration files. */
final class FileConfiguration implements ConfigurationControl {
  private final FileRealms files;
  private final RealmsInUse realms;

  FileConfiguration(FileRealms files) {
    this.files = files;
    this.realms = files.inUse();
  }

  static Status status(RealmsInUse realms) {
    RealmsInUse.Status status = realms.status();
    return new Status(
        status.acceptedAt(), status.rejection().map(RealmsInUse.Rejection::problems).orElse(List.of()), status.restartNeeded());
  }

  @Override
  public Status status() {
    return status(realms);
  }

  @Override
  public Proposal propose(String realm, String text, ChangeScope scope) {
    requireAllRealms(scope);
    var proposal = realms.propose(realm, text);
    return new Proposal(proposal.realm(), proposal.problems(), proposal.filledIn());
  }

  @Override
  public Plan plan(Map<String, byte[]> proposed, boolean complete, Map<String, byte[]> secrets, ChangeScope scope) {
    requireAllRealms(scope);
    return Plan.of(realms.plan(proposed, complete));
  }

  /** A text in place of a file may name variables of the environment and files of other realms. */
  private static void requireAllRealms(ChangeScope scope) {
    if (!scope.equals(ChangeScope.all())) {
      throw new IllegalArgumentException("a configuration in files takes proposals for all realms only");
    }
  }

  @Override
  public boolean isChangeable() {
    return false;
  }

  @Override
  public Optional<Problem> destination(String realm, String url) {
    return realms.destination(realm, url);
  }

  @Override
  public FileTree files() {
    return realms.files();
  }

  @Override
  public void onFiles(Consumer<FileTree> listener) {
    realms.onFiles(listener);
  }

  @Override
  public Path directory() {
    return files.directory();
  }

  @Override
  public Status reload() {
    files.reload();
    return status();
  }
}
