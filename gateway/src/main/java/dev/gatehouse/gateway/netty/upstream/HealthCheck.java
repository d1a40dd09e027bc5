package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.UpstreamFailure;
import dev.gatehouse.gateway.upstream.UpstreamTimeouts;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the health of one server at regular intervals over its own connections, while the server is configured and the
 * event loop runs. The pauses vary by a fifth, so that nodes and servers do not get in step.
 */
public final class HealthCheck implements UpstreamListener {

  private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);
  private static final double SPREAD = 0.2;

  /** Upper bound of the delay before the first check. */
  private static final Duration SOON = Duration.ofMillis(500);

  private final UpstreamPools pools;
  private final GatewayEventLoop loop;
  private final AppServer server;
  private final Health config;
  private final UpstreamTimeouts timeouts;
  private final RandomGenerator random;
  private @Nullable UpstreamConnection connection;
  private boolean answered;

  public HealthCheck(UpstreamPools pools, AppServer server, Health config, RandomGenerator random) {
    this.pools = pools;
    this.loop = pools.loop();
    this.server = server;
    this.config = config;
    this.timeouts = UpstreamTimeouts.within(config.timeout());
    this.random = random;
  }

  void start() {
    Duration within = config.every().compareTo(SOON) < 0 ? config.every() : SOON;
    schedule((long) (within.toNanos() * random.nextDouble()));
  }

  private void schedule(long nanos) {
    try {
      loop.executor().schedule(this::ask, nanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return; // the server stops
    }
  }

  private void ask() {
    if (!server.isRetired()) {
      answered = false;
      pools.pool(server).probe(this, timeouts);
    }
  }

  private void answer(boolean well, String what) {
    if (done() && server.checked(well, config, System.nanoTime())) {
      LOG.warn("The app's server {} is {}: its health check says {}", server.origin(), well ? "up" : "down", what);
    }
  }

  /** Ends this check and schedules the next one; returns false if it had already ended. */
  private boolean done() {
    if (answered) {
      return false;
    }
    answered = true;
    UpstreamConnection used = connection;
    connection = null;
    if (used != null) {
      used.abandon();
    }
    schedule((long) (config.every().toNanos() * (1 - SPREAD / 2 + SPREAD * random.nextDouble())));
    return true;
  }

  @Override
  public void ready(UpstreamConnection ready) {
    connection = ready;
    HeadBuffer out = loop.head();
    out.put("GET ").put(config.path()).put(" HTTP/1.1").endLine();
    out.putField("Host", server.origin().authority());
    out.putField("User-Agent", "Gatehouse-Health-Check").putField("Connection", "close").endLine();
    ready.writeHead(out, false, false);
    ready.writeEnd();
    ready.flush();
  }

  @Override
  public void failed(UpstreamFailure failure, boolean stale) {
    connection = null;
    if (failure == UpstreamFailure.BUSY) {
      // This node lacks memory or descriptors for the check, which says nothing about the server.
      done();
      return;
    }
    answer(false, failure.name());
  }

  @Override
  public void head(ResponseHead head) {
    if (!head.isInterim()) {
      answer(head.status() >= config.statusLeast() && head.status() <= config.statusMost(), "status " + head.status());
    }
  }

  @Override
  public void data(ByteBuf data) {
    data.release();
  }

  @Override
  public void pause() {}

  @Override
  public void end() {}

  @Override
  public void truncated() {}

  @Override
  public void writable() {}
}
