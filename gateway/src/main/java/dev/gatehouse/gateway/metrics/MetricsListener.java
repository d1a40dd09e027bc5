package dev.gatehouse.gateway.metrics;

import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedRequest;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import dev.gatehouse.gateway.netty.loop.TransportProvider;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The listener of health and metrics. One thread of its own serves all connections, and answers are made on virtual threads. Beyond
 * the limit of connections, the one whose client has done nothing for the longest time is closed in favour of the new one, so that
 * clients that send nothing or read nothing keep nobody out.
 */
public final class MetricsListener implements AutoCloseable {

  static final HeadLimits LIMITS = new HeadLimits(8 * 1024, 1024, 64);

  private static final Logger LOG = LoggerFactory.getLogger(MetricsListener.class);
  private static final RequestParser PARSER = new RequestParser(LIMITS);
  private static final long CHECK_MILLIS = 500;
  private static final int RECEIVED = 2048;

  private final NodeReport report;
  private final InstantSource time;
  private final int most;
  private final EventLoopGroup loop;
  private final Channel socket;
  private final ExecutorService answers;
  private final RandomGenerator random = new SplittableRandom();

  /** Used by the event loop only. */
  private final Set<Connection> connections = new LinkedHashSet<>();

  private MetricsListener(InetSocketAddress address, NodeReport report, InstantSource time, int most) {
    this.report = report;
    this.time = time;
    this.most = most;
    TransportProvider transport = TransportProvider.best();
    loop = transport.newLoops("metrics", 1);
    answers = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("metrics-", 0).factory());
    try {
      socket = bind(transport, address);
    } catch (RuntimeException e) {
      end();
      throw e;
    }
    loop.next().scheduleWithFixedDelay(this::check, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Opens the listener.
   *
   * @param most connections at the same time
   */
  public static MetricsListener open(InetSocketAddress address, NodeReport report, InstantSource time, int most) {
    MetricsListener listener = new MetricsListener(address, report, time, most);
    LOG.info("Health and metrics are at port {}", listener.port());
    return listener;
  }

  private Channel bind(TransportProvider transport, InetSocketAddress address) {
    return new ServerBootstrap()
        .group(loop, loop)
        .channel(transport.serverChannel())
        .option(ChannelOption.SO_BACKLOG, 128)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        // The event loops of the gateway have the pooled buffers; here are few and small ones.
        .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVED))
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(16 * 1024, 32 * 1024))
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                accept(channel);
              }
            })
        .bind(address)
        .syncUninterruptibly()
        .channel();
  }

  private void accept(Channel channel) {
    if (connections.size() >= most) {
      Optional<Connection> idlest =
          connections.stream().filter(Connection::isAwaited).min(Comparator.comparingLong(Connection::since));
      if (idlest.isEmpty()) {
        channel.close();
        return;
      }
      closed(idlest.get());
      idlest.get().end();
    }
    Connection connection = new Connection(this, channel);
    connections.add(connection);
    channel.pipeline().addLast(connection);
  }

  void closed(Connection connection) {
    connections.remove(connection);
  }

  private void check() {
    long now = System.nanoTime();
    Set.copyOf(connections).forEach(connection -> connection.check(now));
  }

  ParsedRequest parse(byte[] head) {
    return PARSER.parse(head);
  }

  /** Called on the event loop only. */
  String newRequestId() {
    return RequestId.create(random);
  }

  /** Makes the answer to a request and passes it on from another thread. */
  void answer(RequestHead request, String requestId, Consumer<Answer> to) {
    try {
      answers.execute(() -> to.accept(RequestId.call(requestId, () -> answer(request))));
    } catch (RejectedExecutionException e) {
      to.accept(Answer.FAULT);
    }
  }

  private Answer answer(RequestHead request) {
    try {
      return Answer.to(request, report);
    } catch (RuntimeException e) {
      LOG.error("A request for health or metrics could not be answered", e);
      return Answer.FAULT;
    }
  }

  long second() {
    return time.instant().getEpochSecond();
  }

  /** The listening port. */
  public int port() {
    return ((InetSocketAddress) socket.localAddress()).getPort();
  }

  @Override
  public void close() {
    socket.close().syncUninterruptibly();
    end();
  }

  private void end() {
    loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
    answers.shutdownNow();
  }
}
