package dev.gatehouse.common.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.store.LimitedStore;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.UnsupportedStores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.FairQuota;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PendingOverflowTest {

  private static final byte[] KILOBYTE = new byte[1024];

  private final TestTime time = new TestTime();
  // 1.5 KB an entry: six of them in all, four per network.
  private final PendingOverflow overflow = new PendingOverflow(time, new FairQuota.Limits(6 * 1024, 9 * 1024));

  private boolean put(String handle, String client) throws Exception {
    return put(handle, client, Duration.ofHours(1)).isEmpty();
  }

  private Optional<Duration> put(String handle, String client, Duration life) throws Exception {
    return overflow.put(handle, InetAddress.getByName(client), KILOBYTE, time.instant().plus(life));
  }

  @Test
  void aNetworkThatWantsMoreLosesItsOwnOldest() throws Exception {
    assertThat(put("other", "192.0.2.2")).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(put("mine" + i, "192.0.2.1")).isTrue();
    }
    assertThat(overflow.get("mine95")).isEmpty();
    assertThat(overflow.get("mine96")).contains(KILOBYTE);
    assertThat(overflow.get("mine99")).contains(KILOBYTE);
    assertThat(overflow.get("other")).contains(KILOBYTE);
    assertThat(overflow.bytes()).isEqualTo(5 * 1536);
  }

  @Test
  void theGreediestGivesWayWhereAllIsFull() throws Exception {
    for (int i = 0; i < 4; i++) {
      put("greedy" + i, "192.0.2.1");
    }
    put("second", "192.0.2.2");
    put("third", "192.0.2.3");
    assertThat(put("fourth", "192.0.2.4")).isTrue();
    assertThat(overflow.get("greedy0")).isEmpty();
    assertThat(overflow.get("greedy1")).isPresent();
    assertThat(overflow.get("second")).isPresent();
  }

  @Test
  void whoFindsNoRoomIsToldWhenThereIs() throws Exception {
    assertThat(put("first", "192.0.2.100", Duration.ofMinutes(10))).isEmpty();
    for (int i = 1; i < 6; i++) {
      put("held" + i, "192.0.2." + i);
    }
    time.advance(Duration.ofMinutes(9));
    assertThat(put("late", "192.0.2.50", Duration.ofHours(1))).contains(Duration.ofMinutes(1));
    assertThat(overflow.get("first")).isPresent();
    time.advance(Duration.ofMinutes(1));
    assertThat(put("late", "192.0.2.50", Duration.ofHours(1))).isEmpty();
  }

  @Test
  void whatExpiredOrWasDroppedIsGone() throws Exception {
    put("a", "192.0.2.1", Duration.ofSeconds(5));
    put("b", "192.0.2.1", Duration.ofSeconds(10));
    overflow.drop("b");
    assertThat(overflow.get("b")).isEmpty();
    time.advance(Duration.ofSeconds(5));
    assertThat(overflow.get("a")).isEmpty();
    put("c", "192.0.2.1");
    assertThat(overflow.bytes()).isEqualTo(1536);
  }

  @Test
  void addressesOfOneIpv6NetworkShareTheirPlaces() throws Exception {
    for (int i = 0; i < 100; i++) {
      put("v6-" + i, "2001:db8:0:1::" + Integer.toHexString(i));
    }
    assertThat(overflow.bytes()).isEqualTo(4 * 1536);
  }

  @Test
  void whatOneNodeStoresIsFoundAtAnotherWhereTheyShareTheirStores() {
    LimitedStore<byte[]> one = limited();
    PendingOverflow first = new PendingOverflow(time, new SharedStores(one), "pending");
    PendingOverflow second = new PendingOverflow(time, new SharedStores(one), "pending");
    byte[] payload = {1, 2, 3};
    assertThat(first.put("handle", InetAddress.getLoopbackAddress(), payload, time.instant().plusSeconds(60))).isEmpty();
    assertThat(second.get("handle")).contains(payload);
    second.drop("handle");
    assertThat(first.get("handle")).isEmpty();
  }

  @Test
  void whatANetworkDisplacesLeavesTheSharedStore() {
    LimitedStore<byte[]> shared = limited();
    PendingOverflow one = new PendingOverflow(time, new SharedStores(shared), "pending");
    PendingOverflow two = new PendingOverflow(time, new SharedStores(shared), "pending");
    for (int i = 0; i < 20; i++) {
      assertThat((i % 2 == 0 ? one : two).put("mine" + i, InetAddress.getLoopbackAddress(), new byte[32 * 1024], time.instant().plusSeconds(60))).isEmpty();
    }
    assertThat(shared.peek("mine0")).isEmpty();
    assertThat(shared.peek("mine12")).isEmpty();
    assertThat(shared.peek("mine19")).isPresent();
  }

  private LimitedStore<byte[]> limited() {
    return new MemoryStores(time).limited("pending", new BytesCodec(), new FairQuota.Limits(256 * 1024, 16 * 1024 * 1024), time);
  }

  private static final class BytesCodec implements ValueCodec<byte[]> {
    @Override
    public byte[] encode(byte[] value) {
      return value;
    }

    @Override
    public byte[] decode(byte[] bytes) {
      return bytes;
    }
  }

  /** Of one node: all nodes have the same store. */
  private record SharedStores(LimitedStore<?> store) implements UnsupportedStores {
    @Override
    @SuppressWarnings("unchecked") // The test asks for this type only.
    public <V> Optional<LimitedStore<V>> limitedIfShared(String name, ValueCodec<V> codec, FairQuota.Limits limits) {
      return Optional.of((LimitedStore<V>) store);
    }
  }
}
