package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What administrators may ask of the configuration files; the launcher connects it with their loader. */
public interface ConfigurationControl {

  Status status();

  /** Reads the files now; what is wrong is rejected whole, and the revision before serves on. */
  Status reload();

  /** What would become of a realm with that text in place of its file; nothing of it takes effect. */
  Proposal propose(String realm, String text);

  /**
   * What became of it.
   *
   * @param realm where there is no problem
   * @param hidden values that are in it and not for the eyes of who proposed it
   */
  record Proposal(Optional<Realm> realm, List<Problem> problems, Set<String> hidden) {
    /** Without values. */
    @Override
    public String toString() {
      return "Proposal" + problems;
    }
  }

  /**
   * How the last reading went.
   *
   * @param since since when the revisions that serve now do
   * @param problems of the last reading; where there are any, it was rejected
   * @param restartNeeded whether the node's own file has changed, which counts after a restart
   */
  record Status(Instant since, List<Problem> problems, boolean restartNeeded) {}
}
