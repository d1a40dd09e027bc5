package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.ListenerConnections;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.node.NodeLimits.Apps;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections never take the descriptors that everything else needs. */
class DescriptorsTest {

  private final NodeLimits usual = NodeLimits.USUAL;

  @Test
  void limitsThatFitStay() {
    assertThat(Descriptors.fit(usual, 100_000)).isSameAs(usual);
    assertThat(Descriptors.fit(usual, Long.MAX_VALUE)).isSameAs(usual);
  }

  @Test
  void bothKindsOfConnectionsShareWhatThereIs() {
    NodeLimits fit = Descriptors.fit(usual, 8192);
    assertThat(taken(fit)).isBetween(7160, 7168);
    assertThat(fit.apps().connections() / 7168.0).isBetween(0.28, 0.29);
    assertThat(fit.apps().perServer()).isLessThanOrEqualTo(fit.apps().connections());
    assertThat(fit.connectionsPerAddress()).isEqualTo(1000);
  }

  @Test
  void aThirdIsKeptWhereTheyAreVeryFew() {
    NodeLimits fit = Descriptors.fit(usual, 400);
    assertThat(taken(fit)).isBetween(255, 267);
    assertThat(fit.connectionsPerAddress()).isEqualTo(fit.connections());
  }

  @Test
  void whatOneKindLeavesIsTheOthers() {
    NodeLimits fit = Descriptors.fit(TestGateway.with(usual, new Apps(2, 2, 10, Duration.ofSeconds(1))), 20_000);
    assertThat(fit.apps().connections()).isEqualTo(2);
    assertThat(fit.connections()).isEqualTo(20_000 - 1024 - 256 - 2);
    assertThat(Descriptors.fit(TestGateway.withConnections(usual, 100, 100), 4096).apps().connections()).isEqualTo(4096 - 1024 - 25 - 100);
  }

  @Test
  void ofAThousandEverythingTogetherLeavesSomeForStoresAndCalls() {
    ListenerConnections others = ListenerConnections.of(1024);
    int open = 260;
    NodeLimits fit = Descriptors.fit(usual, 1024 - others.idp() - others.admin() - open);
    assertThat(taken(fit) + others.idp() + others.admin() + open).isLessThanOrEqualTo(1024 - 128);
    assertThat(fit.connections()).isGreaterThan(180);
    assertThat(fit.apps().connections()).isGreaterThan(80);
  }

  /** Those that event loops have not seen yet have descriptors, too. */
  @Test
  void atTheBoundNothingIsAcceptedUntilOneIsClosed() {
    EmbeddedChannel listener = new EmbeddedChannel(new AcceptFailures(2));
    EmbeddedChannel first = new EmbeddedChannel();
    listener.pipeline().fireChannelRead(first);
    assertThat(listener.config().isAutoRead()).isTrue();
    listener.pipeline().fireChannelRead(new EmbeddedChannel());
    assertThat(listener.config().isAutoRead()).isFalse();
    first.close();
    assertThat(listener.config().isAutoRead()).isTrue();
    listener.finishAndReleaseAll();
  }

  /** Connections that are answered because they are too many have descriptors like others. */
  private static int taken(NodeLimits limits) {
    return limits.connections() + ExcessConnection.most(limits.connections()) + limits.apps().connections();
  }

  /** The channel reads by itself when it is active; that a rest is over is seen by its option. */
  @Test
  void aFloodOfFailuresMakesTheListenerRestAndGoOn() throws Exception {
    AcceptFailures failures = new AcceptFailures(100);
    EmbeddedChannel listener = new EmbeddedChannel(failures);
    for (int i = 0; i < 1000; i++) {
      listener.pipeline().fireExceptionCaught(new IOException("accept(..) failed with error(-24): Too many open files"));
    }
    assertThat(failures.failures()).isEqualTo(1000);
    assertThat(failures.lines()).isEqualTo(1);
    assertThat(listener.config().isAutoRead()).isFalse();
    for (int i = 0; i < 500 && !listener.config().isAutoRead(); i++) {
      Thread.sleep(10);
      listener.runScheduledPendingTasks();
    }
    assertThat(listener.config().isAutoRead()).isTrue();
    listener.finishAndReleaseAll();
  }
}
