package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.route.ClientConnection;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what an HTTP/2 client was refused before there was a request, and makes the answer where one is due. */
final class Http2Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Http2Refusals.class);

  private final ExchangeServices services;
  private final GatewayEventLoop loop;
  private final ClientConnection arrival;

  Http2Refusals(ExchangeServices services, GatewayEventLoop loop, ClientConnection arrival) {
    this.services = services;
    this.loop = loop;
    this.arrival = arrival;
  }

  /** For the log and the audit log alone. */
  void note(Refusal refusal) {
    answer(refusal, new AccessEntry(), reply -> {});
  }

  /** @param then takes the answer, on the event loop */
  void answer(Refusal refusal, AccessEntry entry, Consumer<EdgeReply> then) {
    BlockingTasks.call(
        loop.executor(),
        () ->
            services
                .refusals()
                .reply(
                    EdgeRequests.unreadable(arrival.scheme(), arrival.peer()), Optional.empty(), refusal, "-", entry),
        then,
        fault -> LOG.error("A refusal could not be written down", fault));
  }
}
