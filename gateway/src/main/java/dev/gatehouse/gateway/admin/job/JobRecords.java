package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.job.JobView.State;
import java.util.List;
import java.util.Optional;

/** What is known of jobs beyond the memory of the node that does them. */
interface JobRecords {

  /** A job with the role that it needs. */
  record Remembered(JobView view, AdministratorRole role) {

    /** Returns the job as it is after the end of its node. */
    Remembered interrupted() {
      return view.isRunning()
          ? new Remembered(
              new JobView(
                  view.id(), view.kind(), view.realm(), view.administrator(), State.INTERRUPTED.word(), view.startedAt(), Optional.empty(),
                  view.progress(), Optional.empty(), Optional.of("The node ended before the job did. What was done until then stays.")),
              role)
          : this;
    }
  }

  /** Returns whether other nodes see these jobs, and may cancel them. */
  boolean areShared();

  /** Marks the jobs that an earlier run of this node left as running; does nothing the second time. */
  default void begin() {}

  /** Adds a job that begins here. Returns the id of the one of its kind that runs at another node, and adds nothing then. */
  Optional<String> add(Remembered job);

  /** Notes how far a job is. Returns whether it goes on: nobody at another node has cancelled it. */
  boolean note(Remembered job);

  /** Notes the end of a job. */
  void end(Remembered job);

  /** Asks the other node that does the job to stop. Returns false if it does not run. */
  boolean cancel(String id);

  /** Returns all jobs. */
  List<Remembered> all();
}
