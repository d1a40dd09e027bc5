package dev.gatehouse.perf.analytics;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Logins at a constant rate, each due at its time whether or not earlier ones are answered, of people who have no session. */
final class LoginLoad {

  private static final int CONNECTIONS = 32;

  private final URI server;
  private final String path;
  private final int people;
  private final Queue<Long> answered = new ConcurrentLinkedQueue<>();
  private final AtomicInteger failed = new AtomicInteger();

  /** @param path of the zero-page login */
  LoginLoad(URI server, String path, int people) {
    this.server = server;
    this.path = path;
    this.people = people;
  }

  /** Logs in; returns when all are answered. */
  void run(int perSecond, int seconds) throws InterruptedException {
    int all = perSecond * seconds;
    long begin = System.nanoTime();
    AtomicInteger next = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                for (int number = next.getAndIncrement(); number < all; ) {
                  number = logInFrom(number, all, next, begin, perSecond);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Logs in over one connection until it fails, and returns the number that is next. */
  private int logInFrom(int first, int all, AtomicInteger next, long begin, int perSecond) {
    int number = first;
    try (Client client = Client.browser(server)) {
      for (; number < all; number = next.getAndIncrement()) {
        long due = begin + number * 1_000_000_000L / perSecond;
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
          LockSupport.parkNanos(wait);
        }
        client.forget();
        int person = 1 + number % people;
        int status = client.send(client.post(path, "username=" + People.name(person) + "&password=" + People.password(person))).status();
        if (status == 200) {
          answered.add(System.nanoTime());
        } else {
          failed.incrementAndGet();
        }
      }
      return number;
    } catch (IOException e) {
      failed.incrementAndGet();
      return next.getAndIncrement();
    }
  }

  /** Returns when logins were answered, in nanoseconds, in this order. */
  long[] answered() {
    return answered.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  int failed() {
    return failed.get();
  }
}
