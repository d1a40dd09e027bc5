package dev.gatehouse.gateway.admin.job;

import java.util.Map;

/** What a job does, on a virtual thread of its own. */
@FunctionalInterface
public interface JobWork {

  /**
   * Does the work.
   *
   * @return members of the result
   * @throws JobFailed with a sentence for administrators; any other exception is a fault, which the log has
   * @throws java.util.concurrent.CancellationException that {@link JobProgress#at} threw
   */
  Map<String, Object> run(JobProgress progress) throws Exception;

  /** Learns how far a job is. */
  @FunctionalInterface
  interface JobProgress {

    /**
     * Notes how much is done of all.
     *
     * @throws java.util.concurrent.CancellationException if the job was cancelled
     */
    void at(long done, long total);
  }

  /** Signals that a job cannot do its work. */
  final class JobFailed extends Exception {
    private static final long serialVersionUID = 1;

    public JobFailed(String message) {
      super(message);
    }
  }
}
