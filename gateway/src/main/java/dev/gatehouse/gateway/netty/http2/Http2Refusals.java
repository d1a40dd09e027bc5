package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.exchange.EdgeRequests;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.refusal.Refusal;
import dev.gatehouse.gateway.route.ClientConnection;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs refusals of HTTP/2 requests that could not be parsed, and builds the response if one is sent. */
final class Http2Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Http2Refusals.class);

  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientConnection client;

  Http2Refusals(ExchangeServices services, GatewayEventLoop loop, ClientConnection client) {
    this.services = services;
    this.loop = loop;
    this.client = client;
  }

  /** Writes the refusal only to the log and the audit log. */
  void note(Refusal refusal) {
    answer(refusal, new AccessEntry(), reply -> {});
  }

  /** @param then takes the response, on the event loop */
  void answer(Refusal refusal, AccessEntry entry, Consumer<EdgeReply> then) {
    BlockingTasks.call(
        loop.executor(),
        () ->
            services
                .refusals()
                .reply(
                    EdgeRequests.unreadable(client), Optional.empty(), refusal, "-", entry),
        then,
        fault -> LOG.error("A refusal could not be recorded", fault));
  }
}
