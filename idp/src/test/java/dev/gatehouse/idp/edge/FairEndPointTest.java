package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ProxyConnectionFactory;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Turns of one connection, with a selector whose rounds the test makes. */
@Timeout(60)
class FairEndPointTest {

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final SocketChannel client;
  private final SocketChannel served;
  private final Selector selector = Selector.open();
  private final SelectionKey key;
  private final FairEndPoint endPoint;

  /** Makes end points for nobody: it does not run. */
  private static final class NoManager extends SelectorManager {

    NoManager() {
      super(Runnable::run, new ScheduledExecutorScheduler(), 1);
    }

    @Override
    protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Connection newConnection(SelectableChannel channel, EndPoint endPoint, Object attachment) {
      throw new UnsupportedOperationException();
    }
  }

  /** Counts how often it is asked to change what it watches, which would wake it. */
  private final class CountingSelector extends ManagedSelector {

    CountingSelector() {
      super(new NoManager(), 0);
    }

    @Override
    public void submit(SelectorUpdate update) {
      asked.incrementAndGet();
    }
  }

  FairEndPointTest() throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    client = SocketChannel.open(listener.getLocalAddress());
    served = listener.accept();
    listener.close();
    served.configureBlocking(false);
    key = served.register(selector, 0);
    endPoint = new FairEndPoint(served, new CountingSelector(), key, new ScheduledExecutorScheduler());
  }

  @BeforeEach
  void await() {
    endPoint.fillInterested(Callback.from(begun::incrementAndGet));
    endPoint.updateKey();
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    served.close();
    selector.close();
  }

  @Test
  void aTurnEndsWithARequest() throws Exception {
    send("one");
    begin();
    assertThat(read()).isEqualTo("one");
    send("two");
    FairEndPoint.endTurn(endPoint);
    assertThat(read()).isEmpty();
    await();
    begin();
    assertThat(read()).isEqualTo("two");
    assertThat(begun.get()).isEqualTo(2);
  }

  @Test
  void aRequestOfManyReadsIsOneTurn() throws Exception {
    send("head");
    begin();
    assertThat(read()).isEqualTo("head");
    send("body");
    Eventually.holds(() -> read().equals("body"));
  }

  @Test
  void theSelectorWatchesDuringATurnAndIsNotAskedAgain() throws Exception {
    for (int turn = 0; turn < 3; turn++) {
      send("request");
      begin();
      assertThat(isWatched()).isTrue();
      assertThat(read()).isEqualTo("request");
      FairEndPoint.endTurn(endPoint);
      await();
    }
    assertThat(asked.get()).isEqualTo(1);
  }

  @Test
  void whatComesDuringATurnIsReportedOnceAndAgainAfterIt() throws Exception {
    send("one");
    begin();
    assertThat(read()).isEqualTo("one");
    send("two");
    assertThat(round()).isEmpty();
    assertThat(isWatched()).isFalse();
    FairEndPoint.endTurn(endPoint);
    await();
    assertThat(isWatched()).isTrue();
    assertThat(asked.get()).isEqualTo(2);
    begin();
    assertThat(read()).isEqualTo("two");
  }

  /** The thread that the selector has given the turn to is about to read. */
  @Test
  void whatIsNotReadYetIsReportedAFewTimes() throws Exception {
    send("one");
    begin();
    for (int time = 0; time < FairEndPoint.EARLY; time++) {
      assertThat(round()).isEmpty();
      assertThat(isWatched()).isTrue();
    }
    assertThat(round()).isEmpty();
    assertThat(isWatched()).isFalse();
    assertThat(read()).isEqualTo("one");
    FairEndPoint.endTurn(endPoint);
    await();
    assertThat(isWatched()).isTrue();
  }

  @Test
  void theTurnOfAConnectionWithinAnotherProtocolEnds() throws Exception {
    send("one");
    begin();
    assertThat(read()).isEqualTo("one");
    send("two");
    FairEndPoint.endTurn(
        new ProxyConnectionFactory.ProxyEndPoint(endPoint, served.getLocalAddress(), served.getRemoteAddress()));
    assertThat(read()).isEmpty();
  }

  private void begin() throws IOException {
    round().orElseThrow().run();
  }

  /** A round of the selector, in which the connection is ready. Returns what is to be run. */
  private Optional<Runnable> round() throws IOException {
    assertThat(selector.select(20_000)).isEqualTo(1);
    Optional<Runnable> task = Optional.ofNullable(endPoint.onSelected());
    selector.selectedKeys().clear();
    endPoint.updateKey();
    return task;
  }

  private boolean isWatched() {
    return key.interestOps() == SelectionKey.OP_READ;
  }

  private void send(String text) throws IOException {
    client.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private String read() throws IOException {
    ByteBuffer buffer = BufferUtil.allocate(64);
    endPoint.fill(buffer);
    return StandardCharsets.US_ASCII.decode(buffer).toString();
  }
}
