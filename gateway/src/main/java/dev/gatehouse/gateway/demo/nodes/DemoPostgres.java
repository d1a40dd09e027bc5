package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.DemoRefused;
import dev.gatehouse.gateway.demo.nodes.OwnProcess.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The demo's PostgreSQL: a cluster below the demo's folder, made at the first start. */
final class DemoPostgres {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private DemoPostgres() {}

  static OwnProcess start(Path programs, Path folder, int port, String password) throws InterruptedException {
    ServerAccount account = ServerAccount.of("postgres", folder);
    account.folder(folder);
    Path log = ServerAccount.log(folder);
    Path cluster = folder.resolve("cluster");
    if (!Files.exists(folder.resolve("made"))) {
      // A cluster of a first start that was interrupted.
      OwnProcess.execute(log, account, List.of("rm", "-rf", account.seen(cluster).toString()));
      Path file = account.write(folder.resolve("password"), password);
      boolean isMade =
          OwnProcess.execute(
              log,
              account,
              List.of(
                  programs.resolve("initdb").toString(), "-D", account.seen(cluster).toString(), "-U", "gatehouse", "-A",
                  "scram-sha-256",
                  "--pwfile=" + account.seen(file), "-E", "UTF8", "--locale=C", "--no-instructions"));
      if (!isMade) {
        throw new DemoRefused("PostgreSQL could not make its files. The end of " + log + ":\n" + OwnProcess.lastLines(log));
      }
      account.write(folder.resolve("made"), "");
    }
    return OwnProcess.start(
        "PostgreSQL",
        log,
        account,
        End.INT,
        End.INT,
        List.of(
            programs.resolve("postgres").toString(), "-D", account.seen(cluster).toString(), "-p", String.valueOf(port), "-c",
            "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="));
  }

  static void await(OwnProcess server, Path programs, int port) throws InterruptedException {
    String program = programs.resolve("pg_isready").toString();
    server.await(() -> succeeds(program, port), PATIENCE);
  }

  private static boolean succeeds(String program, int port) {
    try {
      return new ProcessBuilder(program, "-q", "-h", "127.0.0.1", "-p", String.valueOf(port)).start().waitFor() == 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
