package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.oauth.AuthorizationRequest;
import dev.gatehouse.perf.oauth.BenchClient;
import dev.gatehouse.perf.oauth.SignIn;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Anonymous clients at 200 addresses begin 5,000 sign-ons each, every tenth with a request too large for a cookie, and
 * finish none; then people log in. Nothing may be stored for the anonymous clients, and no person may be refused
 * because of them.
 */
final class AnonymousStarts implements FaultCase {

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
    FaultContext.IdpNode idp = context.idp();
    URI url = idp.server().url();
    logins(idp);
    long before = Folders.bytes(idp.data(), file -> true);
    Prober prober = context.closeAtEnd(Prober.start(url.getPort(), url.getAuthority(), "/realms/bench/login", 200));
    long begin = System.nanoTime();
    String path =
        idp.server().endpoints().authorize() + "?" + AuthorizationRequest.parameters(BenchClient.RS256, "code", "verifier");
    Process attacker = context.attack(AnonymousStartsAttack.class, url, path, ADDRESSES, EACH);
    Duration most = Duration.ofMinutes(20).plus(context.duration());
    if (!attacker.waitFor(most.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException("the starts were not through within " + most);
    }
    String outcome = Files.readString(context.attackerLog()).strip();
    context.progress(outcome);
    long end = System.nanoTime();
    logins(idp);
    List<Prober.Probe> probes = prober.between(begin, end);
    double growth = (Folders.bytes(idp.data(), file -> true) - before) / 1e6;
    return List.of(
        Figure.atLeast((double) ADDRESSES * EACH, "sign-ons begun", Double.parseDouble(outcome.split(" ", 2)[0]), ""),
        Figure.reported("their time", (end - begin) / 1e9, "s"),
        Figure.holds("people logged in afterwards, each up to a token", true),
        Figure.atMost(MOST_GROWTH_MB, "growth of the data folder", growth, "MB"),
        Figure.reported("longest answer to the prober meanwhile", Prober.longestMillis(probes), "ms"),
        Figure.atMost(0, "unanswered probes", Prober.unanswered(probes), ""));
  }

  /**
   * Logs people in.
   *
   * @throws IOException if one does not get a token
   */
  private static void logins(FaultContext.IdpNode idp) throws IOException {
    try (SignIn person = new SignIn(idp.server(), BenchClient.RS256, "code", false, 0)) {
      for (int i = 0; i < LOGINS; i++) {
        person.once();
      }
    }
  }
}
