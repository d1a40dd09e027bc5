package dev.gatehouse.gateway.admin.configuration;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The operations on the configuration in use that administrators may request, wherever the configuration is. */
public interface ConfigurationControl {

  Status status();

  /**
   * Reads the files now, or checks the revision again; a configuration with a mistake is rejected as a whole, and the previous one
   * stays in use.
   */
  Status reload();

  /**
   * Returns what an administrator may propose and change for a realm. Throws if the administrator lacks the role admin there, or in all
   * realms where the configuration is in files or the realm is that of administrators.
   */
  default ChangeScope scope(AdminRights rights, String realm) {
    if (rights.mayEverywhere(AdministratorRole.ADMIN)) {
      return ChangeScope.all();
    }
    rights.require(AdministratorRole.ADMIN, realm);
    if (!isChangeable() || isOfAdministrators(realm)) {
      rights.requireEverywhere(AdministratorRole.ADMIN);
    }
    return new ChangeScope.OneRealm(realm);
  }

  /**
   * Checks proposed files in place of those in use; nothing of them takes effect.
   *
   * @param files by their paths within the configuration directory
   * @param complete whether realms without a file among them are removed
   * @param secrets new values by their names, for a configuration in the database
   * @param scope what may be proposed; a configuration in files takes proposals for all realms only
   */
  Plan plan(Map<String, byte[]> files, boolean complete, Map<String, byte[]> secrets, ChangeScope scope);

  /** Returns whether administrators of one realm may propose and change its configuration: where it is in the database. */
  boolean isChangeable();

  /** Returns the realm whose people log in as administrators at this node, if there is one. */
  default Optional<String> loginRealm() {
    return Optional.empty();
  }

  /**
   * Returns whether people of that realm may log in as administrators here or have roles, which count at another node. Its configuration
   * decides who logs in as whom, and so is changed by administrators of all realms only.
   */
  default boolean isOfAdministrators(String realm) {
    return loginRealm().filter(realm::equals).isPresent();
  }

  /**
   * Returns why the node may not connect to a URL for administrators of that realm alone, by what {@code gatehouse.yaml} grants the realm;
   * empty if it may.
   */
  Optional<Problem> destination(String realm, String url);

  /** Returns the realms' files in use. */
  FileTree files();

  /** Calls the listener with the realms' files in use: now, and after each change. */
  void onFiles(Consumer<FileTree> listener);

  /** Returns the directory of the configuration files, or of the copy of the revision in use. */
  Path directory();

  /**
   * The result of checking proposed files.
   *
   * @param tree the files that would be in use
   * @param problems empty if they can be used
   * @param realms of the files; empty if there are problems
   * @param hidden values in the realms that the administrator who proposed them must not see
   */
  record Plan(FileTree tree, List<Problem> problems, List<Realm> realms, Set<String> hidden) {

    /** Returns the result of reading proposed files. */
    public static Plan of(ProposedFiles.Plan plan) {
      List<Realm> realms = plan.result().flatMap(ConfigurationFiles.Result::usable).map(Configuration::realms).orElse(List.of());
      return new Plan(
          plan.tree(),
          plan.problems(),
          plan.problems().isEmpty() ? realms : List.of(),
          plan.result().map(ConfigurationFiles.Result::filledIn).orElse(Set.of()));
    }

    /** Does not contain the values. */
    @Override
    public String toString() {
      return "Plan" + problems;
    }
  }

  /**
   * Loads a realm with {@code text} in place of its file; nothing of it takes effect.
   *
   * @param scope what may be proposed
   */
  Proposal propose(String realm, String text, ChangeScope scope);

  /**
   * The result of loading a proposed configuration.
   *
   * @param realm present if there are no problems
   * @param hidden values in the realm that the administrator who proposed it must not see
   */
  record Proposal(Optional<Realm> realm, List<Problem> problems, Set<String> hidden) {
    /** Omits the values. */
    @Override
    public String toString() {
      return "Proposal" + problems;
    }
  }

  /**
   * The result of the last reading.
   *
   * @param since when the current revisions came into use
   * @param problems the problems of the last reading; if there are any, it was rejected
   * @param restartNeeded whether the node's own file has changed, which requires a restart
   */
  record Status(Instant since, List<Problem> problems, boolean restartNeeded) {}
}
