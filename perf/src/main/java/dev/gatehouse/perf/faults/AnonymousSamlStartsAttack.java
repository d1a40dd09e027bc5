package dev.gatehouse.perf.faults;

import dev.gatehouse.perf.http.Connection;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The attacker of {@link AnonymousSamlStarts}: begins logins from many addresses of 127.0.0.0/8, each in a browser without
 * cookies, and follows them to the identity provider. Arguments: page, addresses, starts per address, seconds.
 */
final class AnonymousSamlStartsAttack {

  static final String BEGUN = "begun ";

  private static final int THREADS = 16;

  private AnonymousSamlStartsAttack() {}

  public static void main(String[] args) throws InterruptedException {
    URI page = URI.create(args[0]);
    int addresses = Integer.parseInt(args[1]);
    long most = (long) addresses * Integer.parseInt(args[2]);
    long end = System.nanoTime() + Long.parseLong(args[3]) * 1_000_000_000L;
    AtomicLong next = new AtomicLong();
    AtomicLong begun = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (long n = next.getAndIncrement(); n < most && System.nanoTime() < end; n = next.getAndIncrement()) {
                  begun.addAndGet(begins(page, "127.1.0." + (1 + n % addresses)) ? 1 : 0);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(BEGUN + begun.get());
  }

  /** Returns whether both the service provider and the identity provider accept the start of the login. */
  private static boolean begins(URI page, String address) {
    try {
      String location = location(page, address);
      return !location.isEmpty() && status(URI.create(location), address) != 429;
    } catch (IOException e) {
      return false;
    }
  }

  private static String location(URI url, String address) throws IOException {
    try (Connection connection = new Connection(url, address)) {
      return connection.exchange(request(url)).location();
    }
  }

  private static int status(URI url, String address) throws IOException {
    try (Connection connection = new Connection(url, address)) {
      return connection.exchange(request(url)).status();
    }
  }

  private static String request(URI url) {
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    return "GET " + url.getRawPath() + query + " HTTP/1.1\r\nHost: " + url.getAuthority()
        + "\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\nConnection: close\r\n\r\n";
  }
}
