package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.util.thread.ExecutionStrategy;
import org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads that wait for a carrier until the test runs them. */
class EdgeThreadsTest {

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final AtomicInteger selected = new AtomicInteger();
  private final EdgeThreads threads = new EdgeThreads("test");
  private boolean refusing;

  /** Selects nothing. */
  private final class Nothing implements ExecutionStrategy.Producer {

    @Override
    public @Nullable Runnable produce() {
      selected.incrementAndGet();
      return null;
    }
  }

  @BeforeEach
  void start() throws Exception {
    threads.setVirtualThreadsExecutor(this::begin);
    threads.start();
  }

  @AfterEach
  void stop() throws Exception {
    threads.stop();
  }

  @Test
  void oneThreadWaitsToSelect() throws Exception {
    AdaptiveExecutionStrategy selector = selector();
    assertThat(threads.tryExecute(selector)).isTrue();
    assertThat(threads.tryExecute(selector)).isTrue();
    assertThat(waiting).hasSize(1);
    waiting.remove().run();
    assertThat(selected.get()).isEqualTo(1);
    assertThat(threads.tryExecute(selector)).isTrue();
    assertThat(waiting).hasSize(1);
  }

  @Test
  void eachSelectorAndEachOtherTaskHasItsOwn() throws Exception {
    assertThat(threads.tryExecute(selector())).isTrue();
    assertThat(threads.tryExecute(selector())).isTrue();
    Runnable task = selected::incrementAndGet;
    assertThat(threads.tryExecute(task)).isTrue();
    assertThat(threads.tryExecute(task)).isTrue();
    assertThat(waiting).hasSize(4);
  }

  @Test
  void aThreadThatCannotBeStartedIsNotWaitedFor() throws Exception {
    AdaptiveExecutionStrategy selector = selector();
    refusing = true;
    assertThat(threads.tryExecute(selector)).isFalse();
    refusing = false;
    assertThat(threads.tryExecute(selector)).isTrue();
    assertThat(waiting).hasSize(1);
  }

  private AdaptiveExecutionStrategy selector() throws Exception {
    AdaptiveExecutionStrategy made = new AdaptiveExecutionStrategy(new Nothing(), threads);
    made.start();
    return made;
  }

  private void begin(Runnable task) {
    if (refusing) {
      throw new RejectedExecutionException("refused by the test");
    }
    waiting.add(task);
  }
}
