package dev.gatehouse.perf.limits;

import dev.gatehouse.perf.harness.Iteration;
import dev.gatehouse.perf.harness.Iteration.Phase;
import dev.gatehouse.perf.harness.Latencies;
import dev.gatehouse.perf.harness.Load;
import dev.gatehouse.perf.harness.Server;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Packets to this machine itself and back over one connection, without any work: the limit of everything that is asked over HTTP here.
 * Its CPU time is that of the whole process, both ends.
 */
public final class Loopback extends Load {

  public static final String SERVER = "loopback";

  /** Bytes of an answer. */
  public static final int SMALL = 200;

  public static final int PAGE = 14_000;

  private static final int REQUEST = 200;

  private final int answer;
  private final long started = System.nanoTime();

  private Loopback(int answer) {
    super(new Server(SERVER, List.of()), row(answer));
    this.answer = answer;
  }

  static Loopback of(int answer) {
    return new Loopback(answer);
  }

  public static String row(int answer) {
    return REQUEST + " bytes there, " + answer + " back";
  }

  @Override
  public Iteration run(Phase phase, int seconds) throws IOException, InterruptedException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
        Socket far = listener.accept()) {
      near.setTcpNoDelay(true);
      far.setTcpNoDelay(true);
      Thread echo = Thread.ofPlatform().start(() -> answer(far));
      Latencies latencies = new Latencies();
      long cpu = cpuNanos();
      long begin = System.nanoTime();
      long end = begin + TimeUnit.SECONDS.toNanos(seconds);
      long made = ask(near, latencies, begin, end);
      double took = (System.nanoTime() - begin) / 1e9;
      List<Iteration.Cost> costs = List.of(new Iteration.Cost("both ends", (cpuNanos() - cpu) / 1e9, 0));
      near.shutdownOutput();
      echo.join();
      return new Iteration(
          SERVER, row(), phase, (System.nanoTime() - started) / 1e9, took, made, List.of(latencies.step(row(), 0)), costs, false);
    }
  }

  private long ask(Socket near, Latencies latencies, long begin, long end) throws IOException {
    OutputStream out = near.getOutputStream();
    DataInputStream in = new DataInputStream(near.getInputStream());
    byte[] request = new byte[REQUEST];
    byte[] got = new byte[answer];
    long made = 0;
    for (long from = begin; from < end; made++) {
      out.write(request);
      in.readFully(got);
      long to = System.nanoTime();
      latencies.add(to - from);
      from = to;
    }
    return made;
  }

  private void answer(Socket far) {
    try {
      InputStream in = far.getInputStream();
      OutputStream out = far.getOutputStream();
      byte[] reply = new byte[answer];
      while (in.readNBytes(REQUEST).length == REQUEST) {
        out.write(reply);
      }
    } catch (IOException e) {
      System.err.println("loopback ended: " + e.getMessage());
    }
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }
}
