package dev.gatehouse.gateway.netty.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.traffic.BufferBudget;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Where memory is short the greediest go, and nobody else. */
class BufferReliefTest {

  private static final int KB = 1024;
  private static final long MAX = 1000L * KB;

  private final AtomicLong used = new AtomicLong();
  private final Set<WatchedConnection> watched = new HashSet<>();
  private final List<Runnable> planned = new ArrayList<>();
  private final BufferRelief relief = new BufferRelief(new BufferBudget(MAX, used::get), planned::add, watched);

  private final class Client implements WatchedConnection {
    private final long held;
    private boolean tight;
    private boolean evicted;

    Client(long held) {
      this.held = held;
      watched.add(this);
      used.addAndGet(held);
      relief.added(this);
    }

    @Override
    public void check(long now) {}

    @Override
    public void drain() {}

    @Override
    public long held() {
      return evicted ? 0 : held;
    }

    @Override
    public void tighten(boolean now) {
      tight = now;
    }

    @Override
    public void evict() {
      evicted = true;
      used.addAndGet(-held);
    }
  }

  @Test
  void whileThereIsEnoughNothingHappens() {
    Client greedy = new Client(500L * KB);
    relief.check();
    assertThat(relief.isTight()).isFalse();
    assertThat(greedy.tight).isFalse();
    assertThat(greedy.evicted).isFalse();
  }

  @Test
  void beyondHalfLittleMayWaitAndAllIsWellAgainOnlyFarBelow() {
    Client first = new Client(100L * KB);
    Client second = new Client(401L * KB);
    relief.check();
    assertThat(relief.isTight()).isTrue();
    assertThat(List.of(first.tight, second.tight)).containsOnly(true);
    assertThat(new Client(0).tight).isTrue();
    used.set(450L * KB);
    relief.check();
    assertThat(first.tight).isTrue();
    used.set(399L * KB);
    relief.check();
    assertThat(first.tight).isFalse();
    assertThat(List.of(first.evicted, second.evicted)).containsOnly(false);
  }

  @Test
  void beyondThreeQuartersTheGreediestGoes() {
    Client modest = new Client(100L * KB);
    Client greediest = new Client(500L * KB);
    Client greedy = new Client(151L * KB);
    relief.check();
    assertThat(greediest.evicted).isTrue();
    assertThat(List.of(modest.evicted, greedy.evicted)).containsOnly(false);
  }

  @Test
  void noMoreAreEndedThanMustBe() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 38; i++) {
      clients.add(new Client(20L * KB));
    }
    // 760 KB are held, 10 too many; a quarter would be ten connections.
    relief.check();
    assertThat(clients).filteredOn(client -> client.evicted).hasSize(1);
  }

  /** An allocation that failed wants more than the account says. */
  @Test
  void whereAnAllocationFailedAQuarterGoes() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      clients.add(new Client(20L * KB));
    }
    relief.relieveNow();
    assertThat(clients).filteredOn(client -> client.evicted).hasSize(6);
  }

  @Test
  void aReadPlansItWithoutWaitingForTheNextLook() {
    Client greediest = new Client(800L * KB);
    assertThat(relief.isTight()).isTrue();
    assertThat(relief.isTight()).isTrue();
    assertThat(planned).hasSize(1);
    planned.getFirst().run();
    assertThat(greediest.evicted).isTrue();
  }

  @Test
  void whoHoldsLittleIsNeverEnded() {
    List<Client> innocents = new ArrayList<>();
    for (int i = 0; i < 240; i++) {
      innocents.add(new Client(4L * KB));
    }
    relief.relieveNow();
    assertThat(innocents).noneMatch(client -> client.evicted);
  }
}
