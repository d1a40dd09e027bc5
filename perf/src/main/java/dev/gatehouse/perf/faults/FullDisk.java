package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import dev.gatehouse.perf.oauth.BenchClient;
import dev.gatehouse.perf.oauth.OAuthServer;
import dev.gatehouse.perf.oauth.Tokens;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The disk of the data folder, or only that of the audit log, fills up while people log in and tokens are revoked, and
 * is emptied again. Acknowledged changes must survive, the health endpoint must report the state, and the node must
 * recover without a restart. Needs root, to mount a small disk.
 */
final class FullDisk implements FaultCase {

  private static final int TOKENS = 20;
  private static final double MOST_SECONDS = 15;
  private static final long GIVEN_UP_NANOS = 60_000_000_000L;

  private final String name;
  private final String folder;
  private final String size;

  private FullDisk(String name, String folder, String size) {
    this.name = name;
    this.folder = folder;
    this.size = size;
  }

  /** One case with a small disk for all data, and one for the audit log only. */
  static List<FaultCase> all() {
    return List.of(
        new FullDisk("full-data-disk", "gatehouse/data", "64m"), new FullDisk("full-audit-disk", "gatehouse/data/audit", "8m"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return "fills a disk of " + size + " at " + folder + " while tokens are issued and revoked, then frees the space again";
  }

  @Override
  public List<Figure> run(FaultContext context) throws Exception {
    Path disk = Files.createDirectories(context.work().resolve(folder));
    Commands.output(List.of("mount", "-t", "tmpfs", "-o", "size=" + size + ",mode=700", "none", disk.toString()));
    context.closeAtEnd(() -> Commands.output(List.of("umount", "-l", disk.toString())));
    FaultContext.IdpNode idp = context.idp();
    try (Client api = Client.program(idp.server().url())) {
      return measure(context, idp.node(), idp.server(), api, disk);
    }
  }

  private List<Figure> measure(FaultContext context, GatehouseNode node, OAuthServer idp, Client api, Path disk) throws Exception {
    List<Tokens> issued = new ArrayList<>();
    for (int person = 1; person <= TOKENS; person++) {
      issued.add(Tokens.ofPerson(api, idp, BenchClient.OPAQUE, person, "openid"));
    }
    fill(disk);
    context.progress("full");
    List<Tokens> revoked = revoke(idp, api, issued);
    // A second later the disk is filled again, in case the node has released its reserve.
    double readinessOff = secondsUntil(() -> fill(disk) && !node.isReady());
    int refused = 0;
    int acknowledged = 0;
    for (int person = TOKENS + 1; person <= 2 * TOKENS; person++) {
      int status = status(api, idp.endpoints().token(), Tokens.passwordForm(person, "openid"));
      refused += status == 503 ? 1 : 0;
      acknowledged += status == 200 ? 1 : 0;
    }
    empty(disk);
    double recovered = secondsUntil(node::isReady);
    int alive = 0;
    for (Tokens token : revoked) {
      alive += AcknowledgedFacts.isActive(idp, api, token) ? 1 : 0;
    }
    int lost = 0;
    for (Tokens token : issued) {
      lost += !revoked.contains(token) && !AcknowledgedFacts.isActive(idp, api, token) ? 1 : 0;
    }
    double works = secondsUntil(() -> logsIn(idp, api));
    return List.of(
        Figure.atMost(MOST_SECONDS, "readiness is off after", readinessOff, "s"),
        Figure.reported("revocations acknowledged on the full disk, of " + TOKENS / 2, revoked.size(), ""),
        Figure.atMost(0, "of these tokens alive afterwards", alive, ""),
        Figure.atMost(0, "tokens issued before and lost", lost, ""),
        Figure.reported("logins answered with 503, of " + TOKENS, refused, ""),
        Figure.reported("logins that worked all the same", acknowledged, ""),
        Figure.atMost(MOST_SECONDS, "readiness is on again, after space is back", recovered, "s"),
        Figure.atMost(MOST_SECONDS, "a login works then, without a restart, after", works, "s"));
  }

  /** Revokes every second token; returns those whose revocation was acknowledged. */
  private static List<Tokens> revoke(OAuthServer idp, Client api, List<Tokens> issued) throws IOException {
    List<Tokens> acknowledged = new ArrayList<>();
    for (int i = 0; i < issued.size(); i += 2) {
      if (status(api, idp.endpoints().revoke(), "token=" + issued.get(i).access()) == 200) {
        acknowledged.add(issued.get(i));
      }
    }
    return acknowledged;
  }

  private static int status(Client api, String target, String form) throws IOException {
    api.reconnect();
    Answer answer = api.send(api.post(target, form, BenchClient.OPAQUE.basic()));
    return answer.status();
  }

  private static boolean logsIn(OAuthServer idp, Client api) {
    try {
      return status(api, idp.endpoints().token(), Tokens.passwordForm(1, "openid")) == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static double secondsUntil(BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < GIVEN_UP_NANOS) {
      if (condition.getAsBoolean()) {
        return (System.nanoTime() - begin) / 1e9;
      }
      Thread.sleep(100);
    }
    return Double.NaN;
  }

  /** Fills the disk completely. */
  private static boolean fill(Path disk) {
    for (int size = 1 << 20; size > 0; size = size == 1 ? 0 : size / 64) {
      byte[] zeros = new byte[size];
      try (OutputStream file = Files.newOutputStream(disk.resolve("filler-" + System.nanoTime()))) {
        while (!Thread.currentThread().isInterrupted()) {
          file.write(zeros);
        }
      } catch (IOException full) {
        // The disk is full, as intended.
      }
    }
    return true;
  }

  private static void empty(Path disk) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(disk, "filler-*")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }
}
