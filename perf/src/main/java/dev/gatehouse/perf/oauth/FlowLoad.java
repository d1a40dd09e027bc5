package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.Latencies;
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

/** Several callers, each of which repeats the same flow at the same server without a pause. */
final class FlowLoad implements AutoCloseable {

  private final Flow flow;
  private final AuthorizationServer server;
  private final List<Caller> callers = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final LongAdder done = new LongAdder();

  private FlowLoad(Flow flow, AuthorizationServer server) {
    this.flow = flow;
    this.server = server;
  }

  /** Creates that many callers. */
  static FlowLoad open(Flow flow, AuthorizationServer server, int callers) throws IOException {
    FlowLoad load = new FlowLoad(flow, server);
    try {
      for (int number = 0; number < callers; number++) {
        load.callers.add(flow.open(server, number));
      }
      return load;
    } catch (IOException | RuntimeException e) {
      load.close();
      throw e;
    }
  }

  Flow flow() {
    return flow;
  }

  AuthorizationServer server() {
    return server;
  }

  FlowWindow run(String phase, int seconds) throws IOException, InterruptedException {
    for (Caller caller : callers) {
      caller.reconnect();
    }
    double[] before = cpu();
    long doneBefore = done.sum();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<Latencies>> running = new ArrayList<>();
    for (Caller caller : callers) {
      running.add(threads.submit(() -> repeat(caller, end)));
    }
    TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
    double[] after = cpu();
    long now = System.nanoTime();
    long made = done.sum() - doneBefore;
    List<Latencies> latencies = new ArrayList<>();
    for (Future<Latencies> each : running) {
      latencies.add(await(each));
    }
    int[] sorted = Latencies.sorted(latencies);
    return new FlowWindow(
        server.name(),
        flow.word(),
        phase,
        (now - begin) / 1e9,
        made,
        Latencies.percentile(sorted, 0.5),
        Latencies.percentile(sorted, 0.99),
        costs(before, after));
  }

  private Latencies repeat(Caller caller, long end) throws IOException {
    Latencies latencies = new Latencies();
    for (long from = System.nanoTime(); from < end; ) {
      caller.once();
      long to = System.nanoTime();
      latencies.add(to - from);
      done.increment();
      from = to;
    }
    return latencies;
  }

  private List<FlowWindow.Cost> costs(double[] before, double[] after) {
    List<FlowWindow.Cost> costs = new ArrayList<>();
    for (int i = 0; i < before.length; i++) {
      costs.add(new FlowWindow.Cost(server.processes().get(i).name(), after[i] - before[i]));
    }
    return List.copyOf(costs);
  }

  private double[] cpu() throws IOException {
    List<ServerProcess> processes = server.processes();
    double[] seconds = new double[processes.size()];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = processes.get(i).cpuSeconds();
    }
    return seconds;
  }

  private static Latencies await(Future<Latencies> running) throws IOException, InterruptedException {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw new IOException("a caller failed: " + e.getCause(), e);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    for (Caller caller : callers) {
      caller.close();
    }
  }
}
