package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.NodeLimits;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.common.trace.Tracing;
import dev.gatehouse.gateway.accesslog.AccessLog;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.loop.TransportProvider;
import dev.gatehouse.gateway.netty.tls.ServerTls;
import dev.gatehouse.gateway.netty.upstream.Addresses;
import dev.gatehouse.gateway.netty.upstream.ServerWatch;
import dev.gatehouse.gateway.netty.upstream.UpstreamPools;
import dev.gatehouse.gateway.netty.upstream.UpstreamTls;
import dev.gatehouse.gateway.traffic.BufferBudget;
import dev.gatehouse.gateway.upstream.ConnectionPermits;
import dev.gatehouse.gateway.upstream.Upstreams;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.PlatformDependent;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The gateway's listeners and event loops. Starts after everything that it needs, and stops before it: first the
 * listeners close, then active exchanges may finish, then the event loops end.
 */
public final class GatewayServer implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(GatewayServer.class);

  /**
   * Netty refuses an allocation beyond this limit at once; with the JVM's own limit it would first collect garbage and
   * sleep.
   */
  private static final String MAX_BUFFERS = "io.netty.maxDirectMemory";

  /** Stack traces of every 128th buffer are for tests only; in production a leak shows in the budget of buffers. */
  private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

  /** For ids of requests: fast, one for each event loop, and not for secrets. */
  private static final RandomGeneratorFactory<RandomGenerator> LOOP_RANDOM = RandomGeneratorFactory.of("L64X128MixRandom");

  private final Node node;
  private final InstantSource time;
  private final ExchangeServices services;
  private final BufferBudget buffers;
  private final Upstreams upstreams;
  private final RandomGenerator random;
  private final Tracing tracing;
  private final TransportProvider transport = TransportProvider.best();
  private final Addresses addresses;
  private final UpstreamTls upstreamTls = new UpstreamTls();
  private final ServerWatch serverWatch;
  private final ServerTls serverTls;
  private final ConnectionPermits permits;
  private final AcceptFailures acceptFailures;
  private final Arrivals arrivals;
  private final Map<EventExecutor, Exchanges> loops = new ConcurrentHashMap<>();
  private final List<Channel> listeners = new ArrayList<>();
  private Optional<EventLoopGroup> group = Optional.empty();

  /**
   * Accepts connections on a thread of its own. An event loop with thousands of busy connections would come to it too
   * rarely, and the kernel drops a new client's SYN if the queue of the listener is full.
   */
  private Optional<EventLoopGroup> acceptor = Optional.empty();

  private volatile AccessLog accessLog;

  public GatewayServer(
      Node node, ExchangeServices services, Upstreams upstreams, BufferBudget buffers, MeterRegistry registry,
      InstantSource time, RandomGenerator random, Tracing tracing) {
    NodeLimits limits = services.limits();
    this.acceptFailures = new AcceptFailures(ExcessConnection.accepted(limits.connections()));
    this.node = node;
    this.addresses = new Addresses(node.listeners()::isAdministration);
    this.time = time;
    this.services = services;
    this.buffers = buffers;
    this.upstreams = upstreams;
    this.random = random;
    this.tracing = tracing;
    this.serverTls = new ServerTls(time, random);
    this.arrivals = new Arrivals(services, node.trustedProxies(), new ProxyRefusals().publish(registry, "gateway"));
    this.permits = new ConnectionPermits(limits.apps());
    Gauge.builder("gatehouse.gateway.upstream.connections", permits, ConnectionPermits::taken)
        .description("Connections to apps in use").register(registry);
    this.accessLog = AccessLog.open(Optional.empty(), time);
    FunctionCounter.builder("gatehouse.gateway.accesslog.dropped", this, server -> server.accessLog.dropped())
        .description("Lines that could not be written to disk")
        .register(registry);
    this.serverWatch = new ServerWatch(upstreams, upstreamTls, random);
  }

  /** Limits the direct memory of buffers, in bytes; must be called before the first server is created. */
  public static void limitBuffers(long bytes) {
    // A system property that the operator has set takes precedence.
    System.setProperty(MAX_BUFFERS, System.getProperty(MAX_BUFFERS, String.valueOf(bytes)));
    System.setProperty(LEAK_DETECTION, System.getProperty(LEAK_DETECTION, "disabled"));
  }

  /** Bytes of direct memory that buffers use, including pooled and unused ones. */
  public static long usedBuffers() {
    return PlatformDependent.usedDirectMemory();
  }

  /** The problems of listener certificates that were changed on disk; the previous certificates stay in use. */
  public List<String> certificateProblems() {
    return serverTls.problems();
  }

  /** The state of each event loop. */
  List<GatewayEventLoop> loops() {
    return loops.values().stream().map(Exchanges::loop).toList();
  }

  /** The pools of each event loop. */
  List<UpstreamPools> pools() {
    return loops.values().stream().map(Exchanges::pools).toList();
  }

  /** Checks at once whether certificates have changed; this also happens every few seconds. */
  void pollCertificates() {
    serverTls.poll();
  }

  /** The listening ports in the order of the configured listeners; empty while the server does not run. */
  public synchronized List<Integer> ports() {
    return listeners.stream().map(c -> ((InetSocketAddress) c.localAddress()).getPort()).toList();
  }

  @Override
  public synchronized void start() {
    if (isRunning()) {
      return;
    }
    AccessLog log = AccessLog.open(node.gateway().accessLog(), time);
    accessLog = log;
    EventLoopGroup started = transport.newLoops("gateway", Runtime.getRuntime().availableProcessors());
    group = Optional.of(started);
    EventLoopGroup accepting = transport.newLoops("gateway", 1);
    acceptor = Optional.of(accepting);
    UpstreamPools.Shared shared =
        new UpstreamPools.Shared(transport, addresses, upstreamTls, services.limits(), services.requests().limits(), permits);
    for (EventExecutor executor : started) {
      GatewayEventLoop loop = new GatewayEventLoop(
              (EventLoop) executor, time, log.lines(), buffers, upstreams.unrouted(), LOOP_RANDOM.create(random.nextLong()), tracing);
      UpstreamPools pools = new UpstreamPools(loop, shared);
      loops.put(executor, new Exchanges(services, loop, pools));
      pools.start();
      loop.start();
    }
    serverWatch.start(pools());
    try {
      for (Node.Listener listener : node.listeners().gateway()) {
        listeners.add(bind(accepting, started, listener));
      }
      serverTls.start();
    } catch (RuntimeException e) {
      stop();
      throw e;
    }
    LOG.info("The gateway listens on {} ({}, TLS by {})", ports(), transport, TransportProvider.bestTls());
  }

  private Channel bind(EventLoopGroup accepting, EventLoopGroup started, Node.Listener listener) {
    Arrivals.At at = new Arrivals.At(serverTls.of(listener), listener.proxyProtocol());
    return new ServerBootstrap()
        .group(accepting, started)
        .channel(transport.serverChannel())
        .handler(acceptFailures)
        .option(ChannelOption.SO_BACKLOG, 4096)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                Exchanges exchanges = loops.get(channel.eventLoop());
                if (exchanges == null || channel.remoteAddress() == null) {
                  channel.close();
                } else {
                  arrivals.accept(channel, exchanges, at);
                }
              }
            })
        .bind(listener.address())
        .syncUninterruptibly()
        .channel();
  }

  /** Begins or stops to tell clients that their connections end; new ones are still served. */
  public void announceEnd(boolean wanted) {
    loops().forEach(loop -> loop.later(() -> loop.announceEnd(wanted)));
  }

  @Override
  public void stop() {
    Optional<EventLoopGroup> stopping;
    synchronized (this) {
      stopping = group;
      group = Optional.empty();
      listeners.forEach(listener -> listener.close().syncUninterruptibly());
      listeners.clear();
      acceptor.ifPresent(accepting -> accepting.shutdownGracefully(0, 5, TimeUnit.SECONDS));
      acceptor = Optional.empty();
    }
    if (stopping.isEmpty()) {
      return;
    }
    serverWatch.stop();
    serverTls.stop();
    loops().forEach(loop -> loop.executor().execute(loop::drain));
    awaitExchanges();
    stopping.get().shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    loops().forEach(GatewayEventLoop::flushLog);
    loops.clear();
    permits.removeOwners();
    accessLog.close();
  }

  private void awaitExchanges() {
    long deadline = System.nanoTime() + services.limits().times().drain().toNanos();
    while (services.metrics().connections().get() > 0 && System.nanoTime() < deadline) {
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return group.isPresent();
  }

  /** Returns whether the server runs and all its sockets are open. */
  public synchronized boolean isListening() {
    return isRunning() && listeners.stream().allMatch(Channel::isActive);
  }

  /** Makes this component the last to start and the first to stop. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
