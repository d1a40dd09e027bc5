package dev.gatehouse.perf.harness;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** A closed loop: a fixed number of users, each of which repeats its work without a pause. */
public final class ClosedLoad extends LoadOfUsers {

  /** A virtual user over connections of its own. For one thread at a time. */
  public interface User extends AutoCloseable {

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

  /** Creates a user. */
  @FunctionalInterface
  public interface UserFactory {

    /** @param number of the user, from 0; each user has its own people */
    User create(int number) throws IOException;
  }

  private final LongAdder done = new LongAdder();

  private ClosedLoad(Server server, String row) {
    super(server, row);
  }

  public static ClosedLoad open(Server server, String row, int users, UserFactory factory) throws IOException {
    ClosedLoad load = new ClosedLoad(server, row);
    load.open(users, factory);
    return load;
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException {
    reconnect();
    List<Iteration.Cost> before = server().costs();
    long doneBefore = done.sum();
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(seconds);
    List<Future<Latencies>> running = begin(user -> repeat(user, end));
    TimeUnit.NANOSECONDS.sleep(end - System.nanoTime());
    List<Iteration.Cost> after = server().costs();
    double took = (System.nanoTime() - begin) / 1e9;
    long operations = done.sum() - doneBefore;
    double at = server().secondsSinceStart();
    List<Latencies> latencies = await(running);
    List<Iteration.Step> steps = List.of(Latencies.step(row(), latencies, operations, 0));
    return new Iteration(server().name(), row(), phase, at, took, operations, steps, difference(before, after), false);
  }

  private Latencies repeat(User user, long end) throws IOException {
    Latencies latencies = new Latencies();
    for (long from = System.nanoTime(); from < end; ) {
      int operations = user.once();
      long to = System.nanoTime();
      latencies.add((to - from) / operations);
      done.add(operations);
      from = to;
    }
    return latencies;
  }
}
