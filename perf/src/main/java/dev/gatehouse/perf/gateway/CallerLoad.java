package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.load.Latencies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Several callers, each of which repeats its work without a pause. */
final class CallerLoad implements Load {

  /** Does the work once; used by one thread at a time. */
  interface Caller extends AutoCloseable {

    /** Opens new connections, because servers close idle ones. */
    void reconnect() throws IOException;

    /**
     * Does the work once.
     *
     * @return the number of operations
     * @throws IOException if a response is not as expected
     */
    int once() throws IOException;

    @Override
    void close() throws IOException;
  }

  private final Measured server;
  private final String work;
  private final List<Caller> callers;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final LongAdder done = new LongAdder();

  CallerLoad(Measured server, String work, List<Caller> callers) {
    this.server = server;
    this.work = work;
    this.callers = List.copyOf(callers);
  }

  @Override
  public WorkWindow run(String phase, int seconds) throws IOException, InterruptedException {
    for (Caller caller : callers) {
      caller.reconnect();
    }
    double[] before = server.cpu();
    long doneBefore = done.sum();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<Latencies>> running = new ArrayList<>();
    for (Caller caller : callers) {
      running.add(threads.submit(() -> repeat(caller, end)));
    }
    TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
    double[] after = server.cpu();
    long now = System.nanoTime();
    long made = done.sum() - doneBefore;
    List<Latencies> latencies = new ArrayList<>();
    for (Future<Latencies> each : running) {
      latencies.add(await(each));
    }
    int[] sorted = Latencies.sorted(latencies);
    return new WorkWindow(
        server.name(), work, phase, (now - begin) / 1e9, made, Latencies.percentile(sorted, 0.5),
        Latencies.percentile(sorted, 0.99), server.costs(before, after));
  }

  private Latencies repeat(Caller caller, long end) throws IOException {
    Latencies latencies = new Latencies();
    for (long from = System.nanoTime(); from < end; ) {
      int operations = caller.once();
      long to = System.nanoTime();
      latencies.add((to - from) / operations);
      done.add(operations);
      from = to;
    }
    return latencies;
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
