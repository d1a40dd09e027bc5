package dev.gatehouse.gateway.netty.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.traffic.AddressBlock;
import dev.gatehouse.gateway.traffic.ConnectionCount;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FairQueueTest {

  private static final int MANY = 100;

  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final FairQueue queue = new FairQueue(loop);
  private final ConnectionCount connections = new ConnectionCount(10);
  private final Channel channel = new EmbeddedChannel();
  private final Channel neighbour = new EmbeddedChannel();
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final CountDownLatch all = new CountDownLatch(MANY + 3);

  @AfterEach
  void stop() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void addressesAndConnectionsTakeTurnsAndOneTurnOfTheLoopBeginsFew() throws Exception {
    ConnectionCount.OfAddress many = address("192.0.2.1");
    ConnectionCount.OfAddress few = address("192.0.2.2");
    int atOnce =
        loop.submit(
                () -> {
                  for (int i = 0; i < MANY; i++) {
                    begin(many, "many");
                  }
                  int before = begun.size();
                  begin(few, "few");
                  begin(few, "few");
                  begin(many, neighbour, "neighbour");
                  return before;
                })
            .get();
    assertThat(atOnce).isEqualTo(FairQueue.AT_ONCE);
    assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(begun.subList(FairQueue.AT_ONCE, FairQueue.AT_ONCE + 7))
        .containsExactly("many", "few", "neighbour", "few", "many", "many", "many");
    assertThat(begun).hasSize(MANY + 3);
  }

  @Test
  void aRequestThatFailsToBeginConcernsItsChannelOnly() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    EmbeddedChannel failing =
        new EmbeddedChannel(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                failure.set(cause);
              }
            });
    ConnectionCount.OfAddress address = address("192.0.2.1");
    CountDownLatch last = new CountDownLatch(1);
    loop.submit(
            () -> {
              for (int i = 0; i < FairQueue.AT_ONCE; i++) {
                begin(address, "before");
              }
              queue.begin(
                  address,
                  failing,
                  () -> {
                    throw new IllegalStateException("fails");
                  });
              queue.begin(address, channel, last::countDown);
            })
        .get();
    assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(failure.get()).hasMessage("fails");
  }

  private void begin(ConnectionCount.OfAddress address, String name) {
    begin(address, channel, name);
  }

  private void begin(ConnectionCount.OfAddress address, Channel from, String name) {
    queue.begin(
        address,
        from,
        () -> {
          begun.add(name);
          all.countDown();
        });
  }

  private ConnectionCount.OfAddress address(String literal) throws UnknownHostException {
    return connections.open(AddressBlock.of(InetAddress.getByName(literal))).orElseThrow();
  }
}
