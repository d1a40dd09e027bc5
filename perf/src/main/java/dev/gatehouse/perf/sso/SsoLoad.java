package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.Browser;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Several browsers with a logged-in person, each of which requests Responses without a pause. */
final class SsoLoad implements AutoCloseable {

  private static final int CHECKED_ONE_IN = 200;

  private final SignOnServer server;
  private final List<Browser> browsers = new ArrayList<>();
  private final LongAdder answered = new LongAdder();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private SsoLoad(SignOnServer server) {
    this.server = server;
  }

  /** Logs that many browsers in. */
  static SsoLoad begin(SignOnServer server, int browsers) throws IOException {
    SsoLoad load = new SsoLoad(server);
    for (int i = 0; i < browsers; i++) {
      load.browsers.add(server.login());
    }
    return load;
  }

  /** Offers load for {@code windows} consecutive windows of {@code seconds} each, without a pause between them. */
  List<SsoWindow> run(String phase, int windows, int seconds) throws IOException, InterruptedException {
    for (Browser browser : browsers) {
      browser.reconnect();
    }
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos((long) windows * seconds);
    FreshRequests requests = server.requests();
    List<Future<Void>> running = new ArrayList<>();
    for (Browser browser : browsers) {
      running.add(threads.submit(() -> ask(browser, requests, end)));
    }
    List<SsoWindow> seen = new ArrayList<>();
    double[] cpu = cpu();
    long count = answered.sum();
    long from = begin;
    for (int window = 1; window <= windows; window++) {
      TimeUnit.NANOSECONDS.sleep(begin + TimeUnit.SECONDS.toNanos((long) window * seconds) - System.nanoTime());
      double[] cpuNow = cpu();
      long now = System.nanoTime();
      long countNow = answered.sum();
      seen.add(window(phase, from, now, countNow - count, cpu, cpuNow));
      cpu = cpuNow;
      count = countNow;
      from = now;
    }
    for (Future<Void> each : running) {
      await(each);
    }
    return seen;
  }

  private SsoWindow window(String phase, long from, long to, long responses, double[] before, double[] after) {
    List<SsoWindow.Cost> costs = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      costs.add(new SsoWindow.Cost(server.processes().get(i).name(), after[i] - before[i]));
    }
    return new SsoWindow(
        server.name(),
        phase,
        (to - server.startedNanos()) / 1e9,
        (to - from) / 1e9,
        responses,
        List.copyOf(costs));
  }

  private double[] cpu() throws IOException {
    List<ServerProcess> processes = server.processes();
    double[] seconds = new double[processes.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = processes.get(i).cpuSeconds();
    }
    return seconds;
  }

  private Void ask(Browser browser, FreshRequests requests, long end) throws IOException {
    for (int i = 0; System.nanoTime() < end; i++) {
      FreshRequests.Fresh request = requests.next();
      Answer answer = browser.get(request.target());
      if (i % CHECKED_ONE_IN == 0 || !ResponsePage.holdsResponse(answer)) {
        ResponsePage.check(answer, request.id());
      }
      answered.increment();
    }
    return null;
  }

  private static void await(Future<Void> running) throws IOException, InterruptedException {
    try {
      running.get();
    } catch (ExecutionException e) {
      throw new IOException("the load broke off: " + e.getCause(), e.getCause());
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (Browser browser : browsers) {
      browser.close();
    }
  }
}
