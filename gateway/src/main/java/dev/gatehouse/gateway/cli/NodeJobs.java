package dev.gatehouse.gateway.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Starts a job of a node, and waits for its end. */
final class NodeJobs {

  private static final Duration BETWEEN = Duration.ofMillis(300);

  /**
   * A job, as the node describes it. Its objects are {@code ObjectNode}s: as {@code JsonNode}s, missing ones would be the null of JSON.
   *
   * @param result of one that succeeded
   * @param problem why it failed
   */
  record Job(String id, String state, Optional<ObjectNode> progress, Optional<ObjectNode> result, Optional<String> problem) {

    private boolean isRunning() {
      return state.equals("running");
    }

    /** Returns why it has no result, on one line. */
    String reason() {
      return SafeText.line(problem.orElse("The job was " + state + "."));
    }
  }

  private NodeJobs() {}

  /**
   * Returns the job as it ended.
   *
   * @param start the call that starts it
   * @param progress learns how far it is
   * @throws NodeCallFailed if the node does not start it, or does not tell how it ended
   */
  static Job run(NodeApi node, NodeCall start, Consumer<JsonNode> progress) {
    Job job = started(node, start);
    while (job.isRunning()) {
      job.progress().ifPresent(progress);
      job = later(node, job);
    }
    return job;
  }

  private static Job started(NodeApi node, NodeCall start) {
    try {
      return node.call(start, Job.class);
    } catch (NodeCallFailed e) {
      throw e.isUncertain() ? e.with("./gatehouse admin jobs list shows whether the job began.") : e;
    }
  }

  private static Job later(NodeApi node, Job job) {
    try {
      Thread.sleep(BETWEEN);
      return node.call(NodeCall.get("/admin/v1/jobs/" + NodeCall.encoded(job.id())), Job.class);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unknownEnd(NodeCallFailed.interrupted(), job);
    } catch (NodeCallFailed e) {
      throw unknownEnd(e, job);
    }
  }

  private static NodeCallFailed unknownEnd(NodeCallFailed why, Job job) {
    return why.with("./gatehouse admin jobs get --id " + job.id() + " shows what became of the job.");
  }
}
