package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.realm.Problem;
import java.time.Instant;
import java.util.List;

/** What administrators may ask of the configuration files; the launcher connects it with their loader. */
public interface ConfigurationControl {

  Status status();

  /** Reads the files now; what is wrong is rejected whole, and the revision before serves on. */
  Status reload();

  /**
   * How the last reading went.
   *
   * @param since since when the revisions that serve now do
   * @param problems of the last reading; where there are any, it was rejected
   * @param restartNeeded whether the node's own file has changed, which counts after a restart
   */
  record Status(Instant since, List<Problem> problems, boolean restartNeeded) {}
}
