package dev.gatehouse.gateway.admin.job;

import java.util.Map;
import java.util.concurrent.CancellationException;

/** What a job does, on a virtual thread of its own. */
@FunctionalInterface
public interface JobWork {

  /**
   * Does the work.
   *
   * @return members of the result
   * @throws JobFailed with a sentence for administrators; any other exception is a fault, which the log has
   * @throws CancellationException that {@link JobProgress#at} threw
   */
  Map<String, Object> run(JobProgress progress) throws Exception;

  /** Learns how far a job is. */
  @FunctionalInterface
  interface JobProgress {

    /**
     * Notes how much is done of all.
     *
     * @throws CancellationException if the job was cancelled, or whoever started it may not do it any more
     */
    void at(long done, long total);
  }

  /** Signals that whoever started a job may not do any more what it does. */
  final class RightsWithdrawn extends CancellationException {
    private static final long serialVersionUID = 1;
  }

  /** Signals that a job cannot do its work. */
  final class JobFailed extends Exception {
    private static final long serialVersionUID = 1;

    public JobFailed(String message) {
      super(message);
    }
  }
}
