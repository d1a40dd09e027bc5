package dev.gatehouse.common.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineQueueTest {

  private static final int CALLERS = 64;
  private static final int LINES = 500;

  private final List<List<String>> written = new ArrayList<>();
  private final AtomicBoolean failing = new AtomicBoolean();
  private final LineQueue queue = new LineQueue(this::write);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  /** Under the lock of the queue. */
  private @Nullable Throwable write(List<LineQueue.Line> lines) {
    written.add(lines.stream().map(line -> new String(line.json(), StandardCharsets.US_ASCII)).toList());
    if (failing.get()) {
      throw new LinkageError("of the test");
    }
    return lines.size() > 1 && written.getLast().contains("refused") ? new IOException("refused by the test") : null;
  }

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  @Test
  void eachLineIsWrittenOnceAndInTheOrderOfItsCaller() throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      String name = "caller " + caller + " ";
      all.add(callers.submit(() -> writeAll(name)));
    }
    for (int look = 0; look < 200; look++) {
      // Whoever looks is not overtaken for ever.
      queue.locked(() -> "");
    }
    for (Future<?> each : all) {
      each.get();
    }
    List<String> lines = queue.locked(() -> written.stream().flatMap(List::stream).toList());
    assertThat(lines).hasSize(CALLERS * LINES);
    assertThat(new HashSet<>(lines)).hasSize(CALLERS * LINES);
    for (int caller = 0; caller < CALLERS; caller++) {
      String name = "caller " + caller + " ";
      List<String> own = lines.stream().filter(line -> line.startsWith(name)).toList();
      for (int i = 0; i < LINES; i++) {
        assertThat(own.get(i)).isEqualTo(name + i);
      }
    }
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void linesThatWaitAreWrittenTogetherAndHaveOneOutcome() throws Exception {
    CountDownLatch released = held();
    Future<Optional<Throwable>> one = callers.submit(() -> writeOne("accepted"));
    Future<Optional<Throwable>> other = callers.submit(() -> writeOne("refused"));
    Eventually.holds(() -> queue.waiting() == 2);
    Thread.sleep(50);
    released.countDown();
    assertThat(one.get()).get().isInstanceOf(IOException.class);
    assertThat(other.get()).get().isInstanceOf(IOException.class);
    assertThat(written).hasSize(1);
  }

  @Test
  void anErrorIsItsCallersAndNobodySleepsOn() throws Exception {
    failing.set(true);
    assertThatThrownBy(() -> writeOne("one")).isInstanceOf(LinkageError.class);
    failing.set(false);
    assertThat(writeOne("two")).isEmpty();
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void theOthersOfABatchAreToldOfItsError() throws Exception {
    CountDownLatch released = held();
    failing.set(true);
    List<Future<Optional<Throwable>>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(callers.submit(() -> writeOne("line")));
    }
    Eventually.holds(() -> queue.waiting() == 3);
    released.countDown();
    int told = 0;
    for (Future<Optional<Throwable>> each : all) {
      Throwable outcome = outcome(each);
      assertThat(outcome).isInstanceOfAny(LinkageError.class, IllegalStateException.class);
      told += outcome instanceof IllegalStateException ? 1 : 0;
    }
    assertThat(told).isLessThan(3);
  }

  @Test
  void aCallerThatIsInterruptedWaitsAndStaysInterrupted() throws Exception {
    CountDownLatch released = held();
    AtomicBoolean stayed = new AtomicBoolean();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  writeOne("line");
                  stayed.set(Thread.currentThread().isInterrupted());
                });
    Eventually.holds(() -> queue.waiting() == 1);
    caller.interrupt();
    Thread.sleep(50);
    assertThat(written).isEmpty();
    released.countDown();
    caller.join();
    assertThat(stayed).isTrue();
    assertThat(written).hasSize(1);
  }

  private static Throwable outcome(Future<Optional<Throwable>> future) throws InterruptedException {
    try {
      return future.get().orElseThrow();
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  private Optional<Throwable> writeOne(String line) {
    return Optional.ofNullable(queue.write(Instant.EPOCH, line.getBytes(StandardCharsets.US_ASCII)));
  }

  private void writeAll(String name) {
    for (int i = 0; i < LINES; i++) {
      writeOne(name + i);
    }
  }

  /** Returns once somebody looks at what is written, until this is counted down. */
  private CountDownLatch held() throws InterruptedException {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    callers.submit(() -> queue.locked(() -> waitFor(looking, released)));
    looking.await();
    return released;
  }

  private static String waitFor(CountDownLatch looking, CountDownLatch released) throws IOException {
    looking.countDown();
    try {
      released.await();
      return "";
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }
}
