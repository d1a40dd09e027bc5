package dev.gatehouse.gateway.flood;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks for one page every 100 ms, over a new connection each time, and notes how long each answer takes. Stops when it is closed. */
public final class ProbedPage implements AutoCloseable {

  /** One probe. @param status 0 where there was no answer within 20 s */
  public record Probe(int status, Duration took) {}

  private static final int GIVEN_UP = 20_000;

  private final InetAddress from;
  private final int port;
  private final byte[] asked;
  private final List<Probe> probes = new ArrayList<>();
  private final Thread thread;
  private volatile boolean stopped;

  public ProbedPage(InetAddress from, int port, String host, String path) {
    this.from = from;
    this.port = port;
    this.asked =
        ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    this.thread = Thread.ofPlatform().daemon().name("prober").start(this::run);
  }

  private void run() {
    while (!stopped) {
      Probe probe = probe();
      synchronized (probes) {
        probes.add(probe);
      }
      try {
        Thread.sleep(100);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private Probe probe() {
    long begin = System.nanoTime();
    int status = 0;
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(GIVEN_UP);
      socket.bind(new InetSocketAddress(from, 0));
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), GIVEN_UP);
      socket.getOutputStream().write(asked);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      status = answer.length() < 12 ? 0 : Integer.parseInt(answer.substring(9, 12));
    } catch (IOException e) {
      status = 0;
    }
    return new Probe(status, Duration.ofNanos(System.nanoTime() - begin));
  }

  /** All so far; forgets them. */
  public List<Probe> take() {
    synchronized (probes) {
      List<Probe> taken = List.copyOf(probes);
      probes.clear();
      return taken;
    }
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
  }
}
