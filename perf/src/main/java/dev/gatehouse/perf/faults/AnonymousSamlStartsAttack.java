package dev.gatehouse.perf.faults;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The attacker of {@link AnonymousSamlStarts}, a separate process: begins logins from many addresses of 127.0.0.0/8,
 * each in a browser without cookies, and follows them to the identity provider. Arguments: page, addresses, starts per
 * address, seconds.
 */
public final class AnonymousSamlStartsAttack {

  static final String BEGUN = "begun ";

  private static final int THREADS = 16;
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final Pattern LOCATION = Pattern.compile("\r\nlocation: *([^\r]+)\r\n", Pattern.CASE_INSENSITIVE);

  private AnonymousSamlStartsAttack() {}

  public static void main(String[] args) throws InterruptedException {
    URI page = URI.create(args[0]);
    int addresses = Integer.parseInt(args[1]);
    int each = Integer.parseInt(args[2]);
    long end = System.nanoTime() + Long.parseLong(args[3]) * 1_000_000_000L;
    AtomicLong next = new AtomicLong();
    AtomicLong begun = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (long n = next.getAndIncrement();
                    n < (long) addresses * each && System.nanoTime() < end;
                    n = next.getAndIncrement()) {
                  if (begin(page, (int) (n % addresses))) {
                    begun.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(BEGUN + begun.get());
  }

  /** Whether both the service provider and the identity provider accept the start of the login. */
  private static boolean begin(URI page, int number) {
    try {
      Matcher location = LOCATION.matcher(get(page, number));
      return location.find() && !get(URI.create(location.group(1).strip()), number).contains(" 429 ");
    } catch (IOException e) {
      return false;
    }
  }

  private static String get(URI url, int number) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setSoLinger(true, 0);
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.1.0." + (1 + number)), 0));
      socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), TIMEOUT_MILLIS);
      String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
      String request =
          "GET " + url.getRawPath() + query + " HTTP/1.1\r\nHost: " + url.getAuthority()
              + "\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readNBytes(64 * 1024), StandardCharsets.ISO_8859_1);
    }
  }
}
