package dev.gatehouse.perf.revisions;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Visitors that ask for one page without end, and count responses other than 200. */
final class Visitors implements AutoCloseable {

  private static final int COUNT = 8;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean closed;

  Visitors(URI page) {
    for (int i = 0; i < COUNT; i++) {
      threads.add(Thread.startVirtualThread(() -> visit(page)));
    }
  }

  private void visit(URI page) {
    HttpRequest request = HttpRequest.newBuilder(page).build();
    while (!closed) {
      try {
        int status = http.send(request, BodyHandlers.discarding()).statusCode();
        (status == 200 ? answered : failed).incrementAndGet();
        // Enough that a change meets requests at every moment, and little enough that it does not wait for the processor.
        Thread.sleep(5);
      } catch (IOException e) {
        failed.incrementAndGet();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  long answered() {
    return answered.get();
  }

  long failed() {
    return failed.get();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    for (Thread thread : threads) {
      thread.join();
    }
    http.close();
  }
}
