package dev.gatehouse.perf.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.perf.harness.ClosedLoad.User;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RenewedTest {

  private final List<String> done = new ArrayList<>();

  private final class Somebody implements User {
    private final int number;

    Somebody(int number) {
      this.number = number;
      done.add("logs in " + number);
    }

    @Override
    public void reconnect() {
      done.add("reconnects " + number);
    }

    @Override
    public int once() {
      done.add("works " + number);
      return 2;
    }

    @Override
    public void close() {
      done.add("leaves " + number);
    }
  }

  @Test
  void eachIterationBeginsWithALogin() throws IOException {
    try (User user = Renewed.each(Somebody::new).create(7)) {
      user.reconnect();
      assertThat(user.once()).isEqualTo(2);
      user.reconnect();
    }
    assertThat(done).containsExactly("logs in 7", "leaves 7", "logs in 7", "works 7", "leaves 7", "logs in 7", "leaves 7");
  }
}
