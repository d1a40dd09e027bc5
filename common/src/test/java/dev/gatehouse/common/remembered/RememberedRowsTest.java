package dev.gatehouse.common.remembered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is remembered counts until anything was changed, and not while a change could stay unheard. */
class RememberedRowsTest {

  private volatile OptionalLong heard = OptionalLong.of(1);
  private volatile Optional<String> stored = Optional.of("first");
  private final List<String> reads = new ArrayList<>();
  private final RememberedRows<String, String> rows = new RememberedRows<>(100, Optional.empty(), () -> heard);

  private Optional<String> get() {
    return rows.get(
        "key",
        any -> true,
        () -> {
          reads.add("read");
          return stored;
        });
  }

  @Test
  void aRowIsReadOnceUntilSomethingIsChanged() {
    assertThat(get()).contains("first");
    stored = Optional.of("second");
    assertThat(get()).as("nobody has said anything").contains("first");
    assertThat(reads).hasSize(1);
    heard = OptionalLong.of(2);
    assertThat(get()).contains("second");
    stored = Optional.of("third");
    rows.forget("key");
    assertThat(get()).contains("third");
  }

  @Test
  void nothingCountsWhileAChangeCouldStayUnheard() {
    get();
    heard = OptionalLong.empty();
    stored = Optional.empty();
    assertThat(get()).isEmpty();
    stored = Optional.of("second");
    assertThat(get()).contains("second");
    assertThat(get()).contains("second");
    assertThat(reads).as("not even what was read meanwhile").hasSize(4);
  }

  @Test
  void absenceIsNotRemembered() {
    stored = Optional.empty();
    assertThat(get()).isEmpty();
    stored = Optional.of("added elsewhere");
    assertThat(get()).contains("added elsewhere");
  }

  @Test
  void aRowThatIsChangedWhileItIsReadIsReadAgain() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch changed = new CountDownLatch(1);
    Thread slow =
        Thread.startVirtualThread(
            () ->
                rows.get(
                    "key",
                    any -> true,
                    () -> {
                      Optional<String> before = stored;
                      reading.countDown();
                      await(changed);
                      return before;
                    }));
    reading.await();
    stored = Optional.of("second");
    heard = OptionalLong.of(2);
    changed.countDown();
    slow.join();
    assertThat(get()).contains("second");
  }

  @Test
  void whatDoesNotSuitIsReadAgain() {
    get();
    stored = Optional.of("second");
    assertThat(rows.get("key", value -> value.equals("second"), () -> stored)).contains("second");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
