package dev.gatehouse.perf.harness;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A constant rate, as wrk2 offers it: each operation has the moment at which it is due, and its time counts from there, also if no user was
 * free at that moment. A closed loop waits with a server that stands still, and so leaves out what others would have waited ("coordinated
 * omission").
 */
public final class PacedLoad extends LoadOfUsers {

  private double perSecond;

  private PacedLoad(Server server, String row, double perSecond) {
    super(server, row);
    this.perSecond = perSecond;
  }

  /**
   * Opens the users.
   *
   * @param perSecond operations that are due in a second
   * @param users how many can be under way; more are not needed as long as they are more than the rate times the time of one
   */
  public static PacedLoad open(Server server, String row, double perSecond, int users, ClosedLoad.UserFactory factory) throws IOException {
    if (!(perSecond > 0)) {
      throw new IllegalArgumentException("no rate: " + perSecond);
    }
    PacedLoad load = new PacedLoad(server, row, perSecond);
    load.open(users, factory);
    return load;
  }

  /** From the next run on, the rate is so many times the present one. */
  public void scale(double factor) {
    perSecond *= factor;
  }

  @Override
  protected boolean isPaced() {
    return true;
  }

  @Override
  public Iteration run(Iteration.Phase phase, int seconds) throws IOException, InterruptedException {
    reconnect();
    List<Iteration.Cost> before = server().costs();
    Schedule schedule = new Schedule(System.nanoTime(), perSecond, seconds);
    List<Future<Latencies>> running = begin(schedule::play);
    List<Latencies> latencies = await(running);
    latencies.add(schedule.notBegun());
    long done = schedule.done.get();
    double took = (System.nanoTime() - schedule.begin) / 1e9;
    return iteration(phase, took, done, List.of(Latencies.step(row(), latencies, done, schedule.most - done)), before);
  }

  /** When which operation is due. */
  private static final class Schedule {

    /** What is late by then is given up: the server does not keep up with the rate. */
    private static final int PATIENCE_SECONDS = 10;

    private final long begin;
    private final double perSecond;
    private final long most;
    private final long end;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong done = new AtomicLong();

    Schedule(long begin, double perSecond, int seconds) {
      this.begin = begin;
      this.perSecond = perSecond;
      this.most = Math.max(1, Math.round(perSecond * seconds));
      this.end = begin + TimeUnit.SECONDS.toNanos(seconds + PATIENCE_SECONDS);
    }

    private long due(long number) {
      return begin + (long) (number / perSecond * 1e9);
    }

    Latencies play(ClosedLoad.User user) throws IOException {
      Latencies latencies = new Latencies();
      while (System.nanoTime() < end) {
        long number = next.getAndIncrement();
        if (number >= most) {
          break;
        }
        long due = due(number);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        user.once();
        latencies.add(System.nanoTime() - due);
        done.incrementAndGet();
      }
      return latencies;
    }

    /** Those that were due and that nobody came to: they would have waited at least so long. */
    Latencies notBegun() {
      Latencies latencies = new Latencies();
      long now = System.nanoTime();
      for (long number = Math.min(next.get(), most); number < most; number++) {
        latencies.add(now - due(number));
      }
      return latencies;
    }
  }
}
