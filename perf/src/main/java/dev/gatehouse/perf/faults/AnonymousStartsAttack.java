package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.http.Connection;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The attacker of {@link AnonymousStarts}: each address of 127.1.0.0/16 has a connection and pipelines its requests.
 * Arguments: URL, path, addresses, starts of each.
 */
final class AnonymousStartsAttack {

  private static final int THREADS = 4;
  private static final int AT_ONCE = 25;
  private static final int LARGE_EVERY = 10;
  private static final String LARGE = "&login_hint=" + "x".repeat(4_000);

  private final URI server;
  private final String path;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  private AnonymousStartsAttack(URI server, String path) {
    this.server = server;
    this.path = path;
  }

  public static void main(String[] arguments) throws InterruptedException {
    AnonymousStartsAttack attack = new AnonymousStartsAttack(URI.create(arguments[0]), arguments[1]);
    int addresses = Integer.parseInt(arguments[2]);
    int each = Integer.parseInt(arguments[3]);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofPlatform().start(() -> attack.run(addresses, each)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(attack.begun.get() + " begun, " + attack.refused.get() + " of them refused for their size");
  }

  private void run(int addresses, int each) {
    for (int number = next.getAndIncrement(); number < addresses; number = next.getAndIncrement()) {
      try (Connection connection = new Connection(server, "127.1." + number / 250 + "." + (1 + number % 250))) {
        for (int sent = 0; sent < each; sent += AT_ONCE) {
          starts(connection, sent, Math.min(AT_ONCE, each - sent));
        }
      } catch (IOException e) {
        System.err.println("address " + number + ": " + e);
      }
    }
  }

  private void starts(Connection connection, int first, int count) throws IOException {
    StringBuilder batch = new StringBuilder();
    for (int i = 0; i < count; i++) {
      batch.append("GET ").append(path).append((first + i) % LARGE_EVERY == 0 ? LARGE : "").append(" HTTP/1.1\r\nHost: ");
      batch.append(server.getAuthority()).append("\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\n\r\n");
    }
    connection.write(batch.toString());
    for (int i = 0; i < count; i++) {
      int status = connection.read().status();
      begun.addAndGet(status == 200 || status == 503 ? 1 : 0);
      refused.addAndGet(status == 503 ? 1 : 0);
    }
  }
}
