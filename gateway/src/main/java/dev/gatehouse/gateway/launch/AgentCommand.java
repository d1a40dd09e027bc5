package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.gateway.cli.SafeText;
import dev.gatehouse.idp.agent.Agent;
import dev.gatehouse.idp.agent.AgentSettings;
import dev.gatehouse.idp.agent.AgentYaml;
import dev.gatehouse.idp.agent.server.RealmServers;
import java.io.IOException;
import java.io.PrintWriter;
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

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    CryptoProviders.install();
    PrintWriter out = spec.commandLine().getOut();
    Agent agent = new Agent(settings(), InstantSource.system(), new SecureRandom());
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

  private static int check(List<RealmServers.State> states, PrintWriter out) {
    for (RealmServers.State state : states) {
      String time = state.millis().map(millis -> millis + " ms, ").orElse("");
      out.println(SafeText.line(state.server() + ": " + time + (state.problem().isEmpty() ? "takes this agent" : state.problem())));
    }
    return states.stream().allMatch(state -> state.problem().isEmpty()) ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
