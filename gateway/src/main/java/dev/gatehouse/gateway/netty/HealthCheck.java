package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
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
 * Asks one server every now and then whether it is well, over a connection of its own, for as long as it is configured
 * and the loop lives. Pauses vary by a fifth, so that nodes and servers do not fall into step.
 */
final class HealthCheck implements UpstreamListener {

  private static final Logger LOG = LoggerFactory.getLogger(HealthCheck.class);
  private static final double SPREAD = 0.2;

  /** The first question comes so soon, wherever there is more time between two. */
  private static final Duration SOON = Duration.ofMillis(500);

  private final GatewayEventLoop loop;
  private final AppServer server;
  private final Health rule;
  private final UpstreamTimeouts patience;
  private final RandomGenerator random;
  private @Nullable UpstreamConnection connection;
  private boolean answered;

  HealthCheck(GatewayEventLoop loop, AppServer server, Health rule, RandomGenerator random) {
    this.loop = loop;
    this.server = server;
    this.rule = rule;
    this.patience = UpstreamTimeouts.within(rule.timeout());
    this.random = random;
  }

  void start() {
    Duration within = rule.every().compareTo(SOON) < 0 ? rule.every() : SOON;
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
      loop.pool(server).probe(this, patience);
    }
  }

  private void answer(boolean well, String what) {
    if (done() && server.checked(well, rule, System.nanoTime())) {
      LOG.warn("The app's server {} is {}: its health check says {}", server.origin(), well ? "up" : "down", what);
    }
  }

  /** Ends this check and plans the next one; false where it had ended before. */
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
    schedule((long) (rule.every().toNanos() * (1 - SPREAD / 2 + SPREAD * random.nextDouble())));
    return true;
  }

  @Override
  public void ready(UpstreamConnection ready) {
    connection = ready;
    HeadBuffer out = loop.head();
    out.put("GET ").put(rule.path()).put(" HTTP/1.1").endLine();
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
      // This node has no memory or descriptor for it: that says nothing about the server.
      done();
      return;
    }
    answer(false, failure.name());
  }

  @Override
  public void head(ResponseHead head) {
    if (!head.isInterim()) {
      answer(head.status() >= rule.statusLeast() && head.status() <= rule.statusMost(), "status " + head.status());
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
