package dev.gatehouse.perf.faults;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests one page again and again as a new client, with a connection for each probe, and records the durations. It
 * represents the clients that are not involved in an attack.
 */
public final class Prober implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(100);
  private static final int TIMEOUT_MILLIS = 30_000;

  private final int port;
  private final byte[] request;
  private final Thread thread = new Thread(this::run, "prober");
  private final List<Probe> probes = new ArrayList<>();
  private volatile boolean ended;

  /**
   * One probe.
   *
   * @param at {@link System#nanoTime} when it began
   * @param nanos until the first line of the response
   * @param answered whether that line had the expected status
   */
  public record Probe(long at, long nanos, boolean answered) {}

  private final String expected;

  private Prober(int port, String host, String path, int status) {
    this.port = port;
    this.expected = "HTTP/1.1 " + status;
    this.request =
        ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Starts probing at once.
   *
   * @param status the expected status
   */
  public static Prober start(int port, String host, String path, int status) {
    Prober prober = new Prober(port, host, path, status);
    prober.thread.setDaemon(true);
    prober.thread.start();
    return prober;
  }

  private void run() {
    while (!ended) {
      Probe probe = probe();
      synchronized (probes) {
        probes.add(probe);
      }
      try {
        Thread.sleep(EVERY);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private Probe probe() {
    long begin = System.nanoTime();
    boolean answered = false;
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress("127.0.0.1", port), TIMEOUT_MILLIS);
      socket.getOutputStream().write(request);
      answered = firstLine(socket.getInputStream()).startsWith(expected);
    } catch (IOException e) {
      // The probe is recorded as unanswered.
    }
    return new Probe(begin, System.nanoTime() - begin, answered);
  }

  private static String firstLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each >= 0 && each != '\n'; each = in.read()) {
      line.append((char) each);
    }
    return line.toString();
  }

  /** All probes that began between those moments of {@link System#nanoTime}. */
  public List<Probe> between(long from, long to) {
    synchronized (probes) {
      return probes.stream().filter(probe -> probe.at() - from >= 0 && probe.at() - to < 0).toList();
    }
  }

  /** The longest probe in milliseconds; an unanswered one counts with its duration. */
  public static double longestMillis(List<Probe> probes) {
    return probes.stream().mapToLong(Probe::nanos).max().orElse(0) / 1e6;
  }

  public static long unanswered(List<Probe> probes) {
    return probes.stream().filter(probe -> !probe.answered()).count();
  }

  /**
   * Seconds from that moment until the first of {@code inRow} consecutive good probes of at most {@code most} each;
   * {@link Double#NaN} if there was none yet.
   */
  public double recoveredAfter(long moment, Duration most, int inRow) {
    List<Probe> all = between(moment, System.nanoTime());
    int good = 0;
    for (int i = 0; i < all.size(); i++) {
      Probe probe = all.get(i);
      good = probe.answered() && probe.nanos() <= most.toNanos() ? good + 1 : 0;
      if (good == inRow) {
        Probe first = all.get(i - inRow + 1);
        return (first.at() + first.nanos() - moment) / 1e9;
      }
    }
    return Double.NaN;
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    thread.interrupt();
    thread.join(TIMEOUT_MILLIS);
  }
}
