package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.faults.FaultCase;
import dev.gatehouse.perf.faults.FaultContext;
import dev.gatehouse.perf.faults.Figure;
import dev.gatehouse.perf.faults.Prober;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Anonymous clients at 200 addresses begin 5,000 sign-ons each, every tenth with a request too large for a cookie, and
 * finish none; then people log in. Nothing may be stored for the anonymous clients, and no person may be refused
 * because of them.
 */
public final class AnonymousStarts implements FaultCase {

  private static final int ADDRESSES = 200;
  private static final int EACH = 5_000;
  private static final int LOGINS = 10;
  private static final double MOST_GROWTH_MB = 4;

  @Override
  public String name() {
    return "anonymous-starts";
  }

  @Override
  public String description() {
    return ADDRESSES + " addresses start " + EACH + " sign-ons each and finish none; then users log in";
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    SlapdServer slapd =
        context.closeAtEnd(
            SlapdServer.start(Files.createDirectories(context.work().resolve("slapd")), FreePorts.take(), 100, n -> {}));
    GatehouseServer idp = context.closeAtEnd(GatehouseServer.start(Build.here(), context.work(), slapd));
    idp.await();
    logins(idp);
    long before = bytes(idp.data());
    String login = "/realms/bench/login";
    Prober prober = context.closeAtEnd(Prober.start(idp.url().getPort(), idp.url().getAuthority(), login, 200));
    long begin = System.nanoTime();
    Process attacker =
        context.attack(
            AnonymousStartsAttack.class,
            List.of(
                Integer.toString(idp.url().getPort()),
                idp.endpoints().authorize() + "?" + SignIn.parameters(BenchClient.RS256, "code", "verifier"),
                Integer.toString(ADDRESSES),
                Integer.toString(EACH)));
    Duration most = Duration.ofMinutes(20).plus(context.duration());
    if (!attacker.waitFor(most.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("the starts were not through within " + most);
    }
    String outcome = Files.readString(context.work().resolve("attacker.log")).strip();
    context.progress(outcome);
    long end = System.nanoTime();
    logins(idp);
    List<Prober.Probe> probes = prober.between(begin, end);
    return List.of(
        Figure.atLeast((double) ADDRESSES * EACH, "sign-ons begun", Double.parseDouble(outcome.split(" ", 2)[0]), ""),
        Figure.reported("their time", (end - begin) / 1e9, "s"),
        Figure.holds("people logged in afterwards, each up to a token", true),
        Figure.atMost(MOST_GROWTH_MB, "growth of the data folder", (bytes(idp.data()) - before) / 1e6, "MB"),
        Figure.reported("longest answer to the prober meanwhile", Prober.longestMillis(probes), "ms"),
        Figure.atMost(0, "unanswered probes", Prober.unanswered(probes), ""));
  }

  /**
   * Logs people in.
   *
   * @throws IOException if one does not get a token
   */
  private static void logins(GatehouseServer idp) throws IOException {
    try (SignIn person = new SignIn(idp, BenchClient.RS256, "code", false, 0)) {
      for (int i = 0; i < LOGINS; i++) {
        person.once();
      }
    }
  }

  private static long bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.mapToLong(AnonymousStarts::size).sum();
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      // The file was compacted meanwhile.
      return 0;
    }
  }
}
