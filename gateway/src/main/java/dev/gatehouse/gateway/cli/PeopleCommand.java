package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code ./gatehouse otp people preview} and {@code sync}, whose classes say how they reach the node. */
public abstract class PeopleCommand implements Callable<Integer> {

  private static final List<String> NUMBERS = List.of("found", "added", "changed", "moved", "returned", "gone", "rejected", "tokens");

  @Option(names = "--realm", required = true, paramLabel = "NAME", description = "The realm.")
  private String realm = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private NodeAccess access;

  PeopleCommand(NodeAccess access) {
    this.access = access;
  }

  /** Returns the operation with its query. */
  abstract String operation();

  /** {@code ./gatehouse otp people preview}. */
  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Compare the register of people of a realm of the running node with the directory, and change nothing.",
        "",
        "It prints who would be new, changed, moved, back or gone, which entries would be left out, and whether a synchronisation would stop."
      },
      footer = {"", "Exit codes: 0 a synchronisation would work, 1 it would not, 2 wrong command line."})
  public abstract static class Preview extends PeopleCommand {
    protected Preview(NodeAccess access) {
      super(access);
    }

    @Override
    String operation() {
      return "preview";
    }
  }

  /** {@code ./gatehouse otp people sync}. */
  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Make the register of people of a realm of the running node as the directory is. Whoever is gone gives their tokens back.",
        "",
        "Nothing is changed if the directory does not tell everybody, has nobody, or has lost more people than otp.people.mayDisable allows."
      },
      footer = {"", "Exit codes: 0 done, 1 nothing or not all, 2 wrong command line."})
  public abstract static class Sync extends PeopleCommand {

    @Option(
        names = "--may-disable",
        paramLabel = "LIMIT",
        description = "In place of otp.people.mayDisable: a number of people like 20, or a share like 5%%.")
    private Optional<String> mayDisable = Optional.empty();

    protected Sync(NodeAccess access) {
      super(access);
    }

    @Override
    String operation() {
      return "synchronise" + mayDisable.map(limit -> "?mayDisable=" + NodeCall.encoded(limit)).orElse("");
    }
  }

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (NodeApi node = access.open()) {
      NodeCall start = NodeCall.post("/admin/v1/realms/" + NodeCall.encoded(realm) + "/token-people/" + operation());
      long[] told = {0};
      NodeJobs.Job job = NodeJobs.run(node, start, progress -> tell(out, progress, told));
      if (job.result().isEmpty()) {
        spec.commandLine().getErr().println(job.reason());
        return CommandLine.ExitCode.SOFTWARE;
      }
      return print(out, job.result().get());
    }
  }

  /** Every ten thousand people a line. */
  private static void tell(PrintWriter out, JsonNode progress, long[] told) {
    long done = progress.path("done").asLong(0);
    if (done / 10_000 > told[0] / 10_000) {
      long total = progress.path("total").asLong(0);
      out.println(total == 0 ? done + " people are read." : done + " of " + total + " changes are made.");
      out.flush();
    }
    told[0] = done;
  }

  private static int print(PrintWriter out, JsonNode result) {
    NUMBERS.forEach(name -> out.println(name + ": " + result.path(name).asLong(0)));
    for (JsonNode change : result.path("changes")) {
      out.println(text(change, "kind") + " " + text(change, "name") + " (" + text(change, "person") + "): " + text(change, "detail"));
    }
    for (JsonNode remark : result.path("remarks")) {
      out.println(text(remark, "fault") + " " + text(remark, "name") + ": " + text(remark, "place"));
    }
    JsonNode stop = result.path("stop");
    if (stop.isMissingNode()) {
      return CommandLine.ExitCode.OK;
    }
    out.println(SafeText.line(stop.asString("")));
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String text(JsonNode node, String name) {
    return SafeText.line(node.path(name).asString(""));
  }
}
