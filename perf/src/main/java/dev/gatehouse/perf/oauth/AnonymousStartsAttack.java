package dev.gatehouse.perf.oauth;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The attacker of {@link AnonymousStarts}: each address of 127.1.0.0/16 has a connection and pipelines its requests.
 */
public final class AnonymousStartsAttack {

  private static final int THREADS = 4;
  private static final int AT_ONCE = 25;
  private static final int LARGE_EVERY = 10;
  private static final int TIMEOUT_MILLIS = 60_000;

  private AnonymousStartsAttack() {}

  /** @param arguments port, path, addresses, starts of each */
  public static void main(String[] arguments) throws InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    int addresses = Integer.parseInt(arguments[2]);
    int each = Integer.parseInt(arguments[3]);
    AtomicInteger next = new AtomicInteger();
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int number = next.getAndIncrement(); number < addresses; number = next.getAndIncrement()) {
                      try {
                        starts(port, arguments[1], number, each, begun, refused);
                      } catch (IOException e) {
                        System.err.println("address " + number + ": " + e);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(begun.get() + " begun, " + refused.get() + " of them refused for their size");
  }

  private static void starts(
      int port, String path, int number, int each, AtomicInteger begun, AtomicInteger refused) throws IOException {
    String host = "127.0.0.1:" + port;
    String large = "x".repeat(4_000);
    try (Socket socket = new Socket()) {
      byte[] address = {127, 1, (byte) (number / 250), (byte) (1 + number % 250)};
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(address), 0));
      socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      InputStream in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
      for (int sent = 0; sent < each; sent += AT_ONCE) {
        StringBuilder batch = new StringBuilder();
        int most = Math.min(AT_ONCE, each - sent);
        for (int i = 0; i < most; i++) {
          batch
              .append("GET ")
              .append(path)
              .append((sent + i) % LARGE_EVERY == 0 ? "&login_hint=" + large : "")
              .append(" HTTP/1.1\r\nHost: ")
              .append(host)
              .append("\r\nAccept: text/html\r\nSec-Fetch-Mode: navigate\r\n\r\n");
        }
        socket.getOutputStream().write(batch.toString().getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < most; i++) {
          int status = answer(in);
          if (status == 303 || status == 503) {
            begun.incrementAndGet();
          }
          if (status == 503) {
            refused.incrementAndGet();
          }
        }
      }
    }
  }

  /**
   * Reads one response.
   *
   * @return its status
   */
  private static int answer(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ", 3)[1]);
    int length = 0;
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(field.substring(field.indexOf(':') + 1).strip());
      }
    }
    in.skipNBytes(length);
    return status;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (each != '\r') {
        line.append((char) each);
      }
    }
    return line.toString();
  }
}
