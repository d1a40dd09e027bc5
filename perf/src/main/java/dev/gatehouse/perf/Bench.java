package dev.gatehouse.perf;

import dev.gatehouse.perf.all.AllCommand;
import dev.gatehouse.perf.all.VerifyCommand;
import dev.gatehouse.perf.analytics.AnalyticsCommand;
import dev.gatehouse.perf.audit.AuditCommand;
import dev.gatehouse.perf.console.ConsoleCommand;
import dev.gatehouse.perf.faults.FaultsCommand;
import dev.gatehouse.perf.gateway.GatewayCommand;
import dev.gatehouse.perf.limits.LimitsCommand;
import dev.gatehouse.perf.lists.ListsCommand;
import dev.gatehouse.perf.modules.ModulesCommand;
import dev.gatehouse.perf.nodes.NodesCommand;
import dev.gatehouse.perf.oauth.OAuthCommand;
import dev.gatehouse.perf.otp.OtpCommand;
import dev.gatehouse.perf.otp.OtpServersCommand;
import dev.gatehouse.perf.plan.PlanCommand;
import dev.gatehouse.perf.revisions.RevisionsCommand;
import dev.gatehouse.perf.saml.DirectoryCommand;
import dev.gatehouse.perf.saml.SamlCommand;
import dev.gatehouse.perf.saml.WebCommand;
import dev.gatehouse.perf.service.MemoryCommand;
import dev.gatehouse.perf.service.SoakCommand;
import dev.gatehouse.perf.service.TailsCommand;
import dev.gatehouse.perf.service.WarmUpCommand;
import dev.gatehouse.perf.sessions.SessionsCommand;
import dev.gatehouse.perf.sso.SsoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./gatehouse bench}: the benchmarks. */
@Command(
    name = "gatehouse bench",
    mixinStandardHelpOptions = true,
    description = {
      "Run a benchmark. Servers run as separate processes on this machine; the results contain the CPU time that each of",
      "them used per transaction, so that the load generator's share of a small machine does not count."
    },
    subcommands = {
      AllCommand.class,
      VerifyCommand.class,
      LimitsCommand.class,
      SamlCommand.class,
      WebCommand.class,
      DirectoryCommand.class,
      SsoCommand.class,
      OAuthCommand.class,
      GatewayCommand.class,
      ModulesCommand.class,
      SessionsCommand.class,
      RevisionsCommand.class,
      ListsCommand.class,
      AuditCommand.class,
      AnalyticsCommand.class,
      ConsoleCommand.class,
      FaultsCommand.class,
      NodesCommand.class,
      OtpCommand.class,
      OtpServersCommand.class,
      TailsCommand.class,
      WarmUpCommand.class,
      MemoryCommand.class,
      SoakCommand.class,
      PlanCommand.class,
      JmhCommand.class,
      DataCommand.class
    })
public final class Bench {

  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments));
  }
}
