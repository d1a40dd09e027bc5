package dev.gatehouse.gateway.admin.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.TokenDesk.TokenFilter;
import dev.gatehouse.common.admin.TokenDesk.TokenReport;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.gateway.admin.token.TokenReportEndpoint.TokenLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** However many look at a realm with many tokens, one connection is used for it, and no carrier of those who log in. */
final class TokenReportsTest {

  private static final int MANY = 3000;

  private final TokenDeskFixture tokens = new TokenDeskFixture();
  private final TokenReports reports = new TokenReports(new TestTime());
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();

  /** Notes how many there are at a time, and on which threads. */
  private <T> Supplier<T> watched(Supplier<T> computation) {
    return () -> {
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      threads.add(Thread.currentThread());
      try {
        return computation.get();
      } finally {
        running.decrementAndGet();
      }
    };
  }

  private TokenReport counts() {
    return reports.counts("demo", watched(() -> tokens.desk.report("demo")));
  }

  private List<TokenView> lost() {
    TokenFilter filter = new TokenFilter(Optional.empty(), Optional.of("lost"), Optional.empty(), Optional.empty(), Optional.empty());
    return reports.page(true, watched(() -> tokens.desk.page("demo", filter, "", 10)));
  }

  private TokenLines lines(int days) {
    return reports.lines(
        new TokenReports.Lines("demo", "expiring", Optional.empty(), days),
        watched(() -> new TokenLines(List.of(), tokens.desk.report("demo").assigned() == 0, tokens.time.instant())));
  }

  @Test
  void twoConnectionsReadWhatManyLookAt() throws Exception {
    byte[] seed = TokenDeskFixture.SEED;
    tokens.tokens.add(
        "demo",
        IntStream.range(0, MANY).mapToObj(i -> tokens.seeds.token("demo", "m" + i, TokenType.USUAL, seed, 0, Optional.empty())).toList());
    List<Future<Long>> askers = new ArrayList<>();
    try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 90; i++) {
        boolean isList = i % 2 == 0;
        int days = 1 + i % 6;
        askers.add(many.submit(() -> isList ? (long) (lines(days).complete() ? MANY : 0) : counts().free()));
      }
      for (int i = 0; i < 10; i++) {
        askers.add(many.submit(() -> (long) lost().size() + MANY));
      }
      // Whoever logs in meanwhile has a connection.
      for (int i = 0; i < 200; i++) {
        assertThat(tokens.desk.find("demo", "m" + i)).isPresent();
      }
      for (Future<Long> each : askers) {
        assertThat(each.get()).isEqualTo(MANY);
      }
    }
    assertThat(most.get()).as("one for numbers and one for lists").isBetween(1, 2);
    assertThat(threads).noneMatch(Thread::isVirtual);
    assertThat(threads).extracting(thread -> thread.getName().replaceAll("[0-9]+", "")).containsOnly("report-", "count-");
  }
}
