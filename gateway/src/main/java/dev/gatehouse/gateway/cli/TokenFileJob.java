package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A job of the node about the tokens of a file: how far it is, and the entries that it did not take, in a file beside that one. */
final class TokenFileJob {

  private static final int LINE_EVERY = 1000;

  private TokenFileJob() {}

  /**
   * What is sent.
   *
   * @param path with a query
   * @param done what becomes of tokens, as in "3 of 4 tokens are imported", and the number in the result
   */
  record Request(String path, Map<String, String> body, String done) {}

  /** Runs the job, and returns the exit code. */
  static int run(NodeApi node, CommandLine line, Path file, Request request) throws IOException {
    PrintWriter out = line.getOut();
    long[] told = {0};
    NodeJobs.Job job = NodeJobs.run(node, NodeCall.post(request.path(), request.body()), progress -> tell(out, progress, told));
    if (job.result().isEmpty()) {
      line.getErr().println(job.reason());
      // The problem names the first ones; which all are, is told by a job that changes nothing.
      NodeCall dryRun = NodeCall.post(request.path() + "&dryRun=true", request.body());
      Optional<ObjectNode> all = NodeJobs.run(node, dryRun, progress -> {}).result();
      if (all.isPresent()) {
        writeRejected(out, file, all.get());
      }
      return CommandLine.ExitCode.SOFTWARE;
    }
    JsonNode result = job.result().get();
    out.println(result.path(request.done()).asInt() + " of " + result.path("read").asInt() + " tokens are " + request.done() + ".");
    return writeRejected(out, file, result) ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
  }

  /** Prints a line for each thousand tokens. */
  static void tell(PrintWriter out, JsonNode progress, long[] told) {
    long done = progress.path("done").asLong(0);
    if (done / LINE_EVERY > told[0] / LINE_EVERY) {
      out.println(done + " of " + progress.path("total").asLong(0) + " tokens.");
      out.flush();
    }
    told[0] = done;
  }

  /** Returns whether there are such entries. */
  private static boolean writeRejected(PrintWriter out, Path file, JsonNode result) throws IOException {
    JsonNode rejected = result.path("rejected");
    if (rejected.isEmpty()) {
      return false;
    }
    Path rejects = file.resolveSibling(file.getFileName() + ".rejects.csv");
    StringBuilder text = new StringBuilder("number,serial,reason\n");
    for (JsonNode one : rejected) {
      text.append(one.path("number").asInt() + "," + field(one.path("serial")) + "," + field(one.path("reason")) + "\n");
    }
    Files.writeString(rejects, text);
    out.println("Entries that were not taken are in " + rejects + ", with the reason of each.");
    int all = result.path("rejectedCount").asInt(rejected.size());
    if (all > rejected.size()) {
      out.println("These are the first " + rejected.size() + " of " + all + " such entries: correct them, and try again.");
    }
    return true;
  }

  /** Quoted, and no formula of a spreadsheet. */
  private static String field(JsonNode value) {
    String text = SafeText.line(value.asString("")).replace("\"", "\"\"");
    return '"' + (text.matches("[=+@-].*") ? "'" + text : text) + '"';
  }
}
