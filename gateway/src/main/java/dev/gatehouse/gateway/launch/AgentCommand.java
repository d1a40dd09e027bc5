package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.key.FileUnreadable;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.idp.agent.Agent;
import dev.gatehouse.idp.agent.AgentSettings;
import dev.gatehouse.idp.agent.AgentYaml;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import dev.gatehouse.idp.agent.server.RealmServers;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse agent}. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    description = {
      "Run an agent until it is stopped (SIGTERM, Ctrl-C): a program on a host, or on the gateway of a domain, that asks the servers of a "
          + "realm about passcodes of tokens. Programs of the host ask it by RADIUS on loopback or by a Unix socket, for example PAM.",
      "",
      "The agent needs no node, database or store. docs/how-to/run-an-agent.md says what stands in its file, and how to set up PAM."
    },
    footer = {"", "Exit codes: 0 success, 1 problems, which are printed, 2 wrong command line."})
final class AgentCommand implements Callable<Integer> {

  @Option(names = "--config", required = true, paramLabel = "FILE",
      description = "The agent's configuration, for example /etc/gatehouse-agent/agent.yaml.")
  private Path config = Path.of("agent.yaml");

  @Option(
      names = "--check",
      description = "Read the file, ask each server whether it takes this agent, say what each answers and how soon, and end. Nobody's "
          + "passcode is asked about.")
  private boolean check;

  @Option(
      names = "--forget-epoch",
      description = "Forget the highest epoch of the realm that servers have told, and end: after a server lied about it, or the realm was "
          + "set up anew. The agent must be stopped. Remove that server first.")
  private boolean forgetEpoch;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    CryptoProviders.install();
    PrintWriter out = spec.commandLine().getOut();
    AgentSettings settings = settings();
    if (forgetEpoch) {
      out.println(forgotten(settings));
      return ExitCode.OK;
    }
    Agent agent = new Agent(settings, epoch(settings), InstantSource.system(), new SecureRandom());
    if (check) {
      try (RealmServers servers = agent.servers()) {
        return check(servers.states(), out);
      }
    }
    try {
      agent.open();
    } catch (IOException e) {
      throw new StartRefused(List.of(SafeText.line(String.valueOf(e.getMessage())), "The agent was not started."));
    }
    out.println("The agent is ready");
    out.flush();
    Termination.await(List.of(agent));
    return ExitCode.OK;
  }

  private AgentSettings settings() {
    try {
      return AgentYaml.read(config, System.getenv());
    } catch (ConfigurationInvalid e) {
      throw new StartRefused(e.problems().stream().map(Problem::toString).toList());
    }
  }

  private RealmEpoch epoch(AgentSettings settings) {
    try {
      URI realm = settings.servers().realm();
      return check ? RealmEpoch.look(settings.state(), realm) : RealmEpoch.open(settings.state(), realm);
    } catch (IOException | FileUnreadable e) {
      throw refused(settings, e);
    }
  }

  private static String forgotten(AgentSettings settings) {
    try {
      return RealmEpoch.forget(settings.state(), settings.servers().realm())
          .map(epoch -> "Forgotten: epoch " + epoch + " of " + settings.servers().realm())
          .orElse("No epoch of " + settings.servers().realm() + " is kept in " + settings.state());
    } catch (IOException e) {
      throw refused(settings, e);
    }
  }

  private static StartRefused refused(AgentSettings settings, Exception e) {
    return new StartRefused(
        List.of(
            SafeText.line("The realm's epoch cannot be kept in " + settings.state() + " (state of agent.yaml): " + e.getMessage()),
            "The agent was not started."));
  }

  private static int check(List<RealmServers.State> states, PrintWriter out) {
    for (RealmServers.State state : states) {
      String time = state.millis().map(millis -> millis + " ms, ").orElse("");
      out.println(SafeText.line(state.server() + ": " + time + (state.problem().isEmpty() ? "takes this agent" : state.problem())));
    }
    return states.stream().allMatch(state -> state.problem().isEmpty()) ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
