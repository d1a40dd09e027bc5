package dev.gatehouse.gateway.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.TrafficConfig;
import dev.gatehouse.common.realm.TrafficConfig.Rate;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RatesTest {

  private final AtomicLong nanos = new AtomicLong(1);
  private final AtomicInteger nodes = new AtomicInteger(1);
  private final Rates rates = new Rates(nanos::get, nodes::get);

  private static TrafficConfig perAddress(long requests, long burst) {
    Rate rate = new Rate(requests, Duration.ofSeconds(1), burst);
    return new TrafficConfig(Optional.empty(), Optional.of(rate), Optional.empty(), Optional.empty());
  }

  private int admitted(TrafficConfig limits, InetAddress from, int asked) {
    int admitted = 0;
    for (int i = 0; i < asked; i++) {
      admitted += rates.arrived("demo", "r", limits, from).isEmpty() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void aBurstMayComeAtOnceAndThenTheRateCounts() {
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    TrafficConfig limits = perAddress(10, 50);
    assertThat(admitted(limits, client, 100)).isEqualTo(50);
    assertThat(rates.arrived("demo", "r", limits, client)).contains(Duration.ofMillis(100));
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(admitted(limits, client, 100)).isEqualTo(20);
    nanos.addAndGet(Duration.ofHours(2).toNanos());
    assertThat(admitted(limits, client, 100)).isEqualTo(50);
  }

  @Test
  void eachOfSeveralNodesAdmitsItsShare() {
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    TrafficConfig limits = perAddress(10, 51);
    nodes.set(4);
    assertThat(admitted(limits, client, 100)).isEqualTo(13);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(admitted(limits, client, 100)).isEqualTo(5);
    nodes.set(1);
    assertThat(admitted(limits, client, 100)).isEqualTo(51);
  }

  @Test
  void anotherRateAnotherRouteAndAnotherRealmHaveTheirOwnBuckets() {
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    assertThat(admitted(perAddress(1, 1), client, 5)).isEqualTo(1);
    assertThat(admitted(perAddress(2, 2), client, 5)).isEqualTo(2);
    assertThat(rates.arrived("demo", "other", perAddress(1, 1), client)).isEmpty();
    assertThat(rates.arrived("other", "r", perAddress(1, 1), client)).isEmpty();
  }

  @Test
  void ofParallelRequestsExactlySoManyAreAdmitted() throws InterruptedException {
    InetAddress client = InetAddress.ofLiteral("192.0.2.1");
    TrafficConfig limits = perAddress(100, 100);
    AtomicInteger admitted = new AtomicInteger();
    Thread[] threads = new Thread[8];
    for (int t = 0; t < threads.length; t++) {
      threads[t] = Thread.ofVirtual().start(() -> admitted.addAndGet(admitted(limits, client, 200)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(admitted).hasValue(100);
  }

  @Test
  void aNetworkOf64BitsIsOneClient() {
    assertThat(AddressBlock.of(InetAddress.ofLiteral("2001:db8::1")))
        .isEqualTo(AddressBlock.of(InetAddress.ofLiteral("2001:db8::ffff:ffff:ffff:ffff")))
        .isNotEqualTo(AddressBlock.of(InetAddress.ofLiteral("2001:db8:0:1::1")));
    assertThat(AddressBlock.of(InetAddress.ofLiteral("1.2.3.4")))
        .isNotEqualTo(AddressBlock.of(InetAddress.ofLiteral("1.2.3.5")));
  }

  @Test
  void countsOfConnectionsLeaveNothingBehind() {
    ConnectionCount count = new ConnectionCount(2);
    AddressBlock address = AddressBlock.of(InetAddress.ofLiteral("1.2.3.4"));
    assertThat(count.open(address).isPresent()).isTrue();
    assertThat(count.open(address).isPresent()).isTrue();
    assertThat(count.open(address).isPresent()).isFalse();
    count.closed(address);
    assertThat(count.open(address).isPresent()).isTrue();
    count.closed(address);
    count.closed(address);
    assertThat(count.addresses()).isZero();
  }

  @Test
  void theHeapOfThisProcessIsNeitherFullNorEmpty() {
    assertThat(new HeapAfterCollection().getAsDouble()).isBetween(0.01, 1.0);
  }
}
