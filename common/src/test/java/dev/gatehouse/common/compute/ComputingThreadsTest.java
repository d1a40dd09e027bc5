package dev.gatehouse.common.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Work of virtual threads is done by few platform threads. */
class ComputingThreadsTest {

  @Test
  void fewPlatformThreadsComputeForManyVirtualOnes() throws Exception {
    ExecutorService threads = ComputingThreads.of("computing-", 2);
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    List<Future<?>> callers = new ArrayList<>();
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        callers.add(many.submit(() -> threads.submit(() -> seen.add(Thread.currentThread())).get()));
      }
      for (Future<?> each : callers) {
        each.get();
      }
    }
    assertThat(seen)
        .hasSizeBetween(1, 2)
        .allMatch(thread -> !thread.isVirtual() && thread.isDaemon() && thread.getName().startsWith("computing-"));
    assertThat(ComputingThreads.usual()).isPositive();
  }
}
