package dev.gatehouse.gateway.netty.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of apps that have several addresses, and addresses that change. */
@Timeout(60)
class AddressesTest {

  private final EventLoop loop = new DefaultEventLoop();
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger lookups = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile boolean failing;
  private volatile InetAddress[] answer = {at(1), at(2), at(3)};

  private final Addresses addresses =
      new Addresses(
          host -> {
            lookups.incrementAndGet();
            await();
            if (failing) {
              throw new UnknownHostException(host);
            }
            return answer;
          },
          now::get,
          (address, port) -> port == 8081 && address.equals(at(2)));

  @AfterEach
  void stop() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  private void await() {
    try {
      assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static InetAddress at(int last) {
    return InetAddress.ofLiteral("192.0.2." + last);
  }

  private List<InetAddress> resolve() throws Exception {
    CompletableFuture<List<InetAddress>> found = new CompletableFuture<>();
    addresses.resolve("app.example", loop, found::complete);
    return found.get(20, TimeUnit.SECONDS);
  }

  /** A name that leads to the administration later than when it was configured. */
  @Test
  void noNameLeadsToTheAdministration() throws Exception {
    List<InetAddress> found = resolve();
    assertThat(addresses.open(new Origin("http", "app.example", 8081), found)).containsExactlyInAnyOrder(at(1), at(3));
    assertThat(addresses.open(new Origin("http", "app.example", 8080), found)).hasSize(3);
    assertThat(addresses.open(new Origin("http", "app.example", 8081), List.of(at(2)))).isEmpty();
    assertThat(addresses.open(new Origin("http", "192.0.2.2", 8081), List.of(at(2)))).as("what is written was checked").hasSize(1);
  }

  @Test
  void allAddressesTakeConnectionsByTurns() throws Exception {
    List<InetAddress> firsts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      List<InetAddress> found = resolve();
      assertThat(found).containsExactlyInAnyOrder(answer);
      firsts.add(found.getFirst());
    }
    assertThat(firsts).containsExactly(at(1), at(2), at(3), at(1), at(2), at(3));
    assertThat(lookups).hasValue(1);
  }

  @Test
  void whatTookNoConnectionStandsBehindTheOthersForAWhile() throws Exception {
    resolve();
    addresses.failed(at(2));
    for (int i = 0; i < 6; i++) {
      assertThat(resolve().getLast()).isEqualTo(at(2));
    }
    now.addAndGet(Duration.ofSeconds(11).toNanos());
    List<InetAddress> firsts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      firsts.add(resolve().getFirst());
    }
    assertThat(firsts).contains(at(2));
  }

  @Test
  void staleAddressesServeWhileTheyAreLookedUpAgain() throws Exception {
    resolve();
    now.addAndGet(Duration.ofSeconds(31).toNanos());
    CountDownLatch slow = new CountDownLatch(1);
    gate = slow;
    answer = new InetAddress[] {at(9)};
    for (int i = 0; i < 5; i++) {
      assertThat(resolve()).hasSize(3);
    }
    slow.countDown();
    while (!resolve().equals(List.of(at(9)))) {
      Thread.onSpinWait();
    }
    assertThat(lookups).as("one for all who asked meanwhile").hasValue(2);
  }

  @Test
  void addressesThatAreTooOldAreLookedUpFirst() throws Exception {
    resolve();
    answer = new InetAddress[] {at(9)};
    now.addAndGet(Duration.ofMinutes(6).toNanos());
    assertThat(resolve()).containsExactly(at(9));
  }

  @Test
  void aNameServerThatFailsTakesNothingAway() throws Exception {
    resolve();
    failing = true;
    now.addAndGet(Duration.ofMinutes(6).toNanos());
    assertThat(resolve()).containsExactlyInAnyOrder(at(1), at(2), at(3));
    now.addAndGet(Duration.ofHours(6).toNanos());
    assertThat(resolve()).hasSize(3);
  }

  @Test
  void anUnknownNameHasNoAddress() throws Exception {
    failing = true;
    assertThat(resolve()).isEmpty();
  }
}
