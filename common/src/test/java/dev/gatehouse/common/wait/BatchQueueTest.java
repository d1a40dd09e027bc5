package dev.gatehouse.common.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BatchQueueTest {

  private static final int MOST = 16;
  private static final int CALLERS = 64;
  private static final int ITEMS = 500;

  /** Written under the lock of the queue. */
  private final List<List<String>> handled = new ArrayList<>();

  private final AtomicBoolean isInterruptSeen = new AtomicBoolean();
  private final BatchQueue<String> queue = new BatchQueue<>(MOST, this::take);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  private void take(List<String> batch) throws IOException {
    handled.add(batch);
    if (Thread.currentThread().isInterrupted()) {
      isInterruptSeen.set(true);
    }
    if (batch.contains("broken")) {
      throw new LinkageError("of the test");
    }
    if (batch.contains("refused")) {
      throw new IOException("refused by the test");
    }
    if (batch.contains("nested")) {
      queue.handle("of the handler");
    }
  }

  @AfterEach
  void close() {
    callers.shutdownNow();
  }

  @Test
  void eachItemIsHandledOnceAndInTheOrderOfItsCaller() throws Exception {
    List<Future<?>> all = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      String name = "caller " + caller + " ";
      all.add(callers.submit(() -> handleAll(name)));
    }
    for (int step = 0; step < 200; step++) {
      // Steps are not overtaken for ever.
      queue.locked(() -> "");
    }
    for (Future<?> each : all) {
      each.get();
    }
    List<String> items = queue.locked(() -> handled.stream().flatMap(List::stream).toList());
    assertThat(items).hasSize(CALLERS * ITEMS);
    assertThat(new HashSet<>(items)).hasSize(CALLERS * ITEMS);
    for (int caller = 0; caller < CALLERS; caller++) {
      String name = "caller " + caller + " ";
      List<String> own = items.stream().filter(item -> item.startsWith(name)).toList();
      for (int i = 0; i < ITEMS; i++) {
        assertThat(own.get(i)).isEqualTo(name + i);
      }
    }
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void aBatchHasALimit() throws Exception {
    CountDownLatch released = held();
    List<Future<Optional<Throwable>>> all = waiting("item", MOST + 1);
    released.countDown();
    for (Future<Optional<Throwable>> each : all) {
      assertThat(each.get()).isEmpty();
    }
    assertThat(handled.stream().map(List::size).toList()).containsExactly(MOST, 1);
  }

  @Test
  void itemsThatWaitAreHandledTogetherAndHaveOneOutcome() throws Exception {
    CountDownLatch released = held();
    List<Future<Optional<Throwable>>> all = new ArrayList<>(waiting("accepted", 1));
    all.addAll(waiting("refused", 1));
    released.countDown();
    for (Future<Optional<Throwable>> each : all) {
      assertThat(each.get()).get().isInstanceOf(IOException.class);
    }
    assertThat(handled).hasSize(1);
    assertThat(queue.handle("next")).isEmpty();
  }

  @Test
  void allCallersOfABatchAreToldOfItsError() throws Exception {
    CountDownLatch released = held();
    List<Future<Optional<Throwable>>> all = waiting("broken", 3);
    released.countDown();
    for (Future<Optional<Throwable>> each : all) {
      assertThat(each.get()).get().isInstanceOf(LinkageError.class);
    }
    assertThat(handled).hasSize(1);
    assertThat(queue.handle("next")).isEmpty();
    assertThat(queue.waiting()).isZero();
  }

  /** Whoever had to take the lock as well would wait for the step of the other. */
  @Test
  void whoeverWasHandledGoesOnWhileTheLockIsTaken() throws Exception {
    CountDownLatch released = held();
    CountDownLatch gone = new CountDownLatch(2);
    List<Future<Boolean>> all = List.of(callers.submit(() -> isFollowed(gone)), callers.submit(() -> isFollowed(gone)));
    Eventually.holds(() -> queue.waiting() == 2);
    released.countDown();
    for (Future<Boolean> each : all) {
      assertThat(each.get()).isTrue();
    }
    assertThat(handled).hasSize(1);
  }

  private boolean isFollowed(CountDownLatch gone) throws InterruptedException {
    queue.handle("item");
    gone.countDown();
    return queue.locked(() -> gone.await(10, TimeUnit.SECONDS));
  }

  @Test
  void aCallerThatIsInterruptedWaitsAndStaysInterrupted() throws Exception {
    CountDownLatch released = held();
    AtomicBoolean stayed = new AtomicBoolean();
    Thread caller =
        Thread.ofVirtual()
            .start(
                () -> {
                  queue.handle("item");
                  stayed.set(Thread.currentThread().isInterrupted());
                });
    Eventually.holds(() -> queue.waiting() == 1);
    caller.interrupt();
    Thread.sleep(50);
    assertThat(handled).isEmpty();
    released.countDown();
    caller.join();
    assertThat(stayed).isTrue();
    assertThat(handled).hasSize(1);
  }

  @Test
  void anInterruptOfACallerIsNotOneOfTheHandler() {
    Thread.currentThread().interrupt();
    assertThat(queue.handle("item")).isEmpty();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(isInterruptSeen).isFalse();
  }

  @Test
  void aHandlerThatAddsToItsQueueIsToldAndDoesNotWaitForItself() {
    assertThat(queue.handle("nested")).get().isInstanceOf(IllegalStateException.class);
    assertThat(queue.handle("next")).isEmpty();
    assertThat(queue.waiting()).isZero();
  }

  private void handleAll(String name) {
    for (int i = 0; i < ITEMS; i++) {
      queue.handle(name + i);
    }
  }

  /** Returns once so many more wait with the item. */
  private List<Future<Optional<Throwable>>> waiting(String item, int number) {
    int before = queue.waiting();
    List<Future<Optional<Throwable>>> all = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      all.add(callers.submit(() -> queue.handle(item)));
    }
    Eventually.holds(() -> queue.waiting() == before + number);
    return all;
  }

  /** Returns once somebody has the lock, until this is counted down. */
  private CountDownLatch held() throws InterruptedException {
    CountDownLatch holding = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    callers.submit(() -> hold(holding, released));
    holding.await();
    return released;
  }

  private String hold(CountDownLatch holding, CountDownLatch released) throws InterruptedException {
    return queue.locked(
        () -> {
          holding.countDown();
          released.await();
          return "";
        });
  }
}
