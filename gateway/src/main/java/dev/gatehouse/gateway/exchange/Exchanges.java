package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.exchange.cache.CacheStep;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.upstream.UpstreamPools;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.stream.ClientStream;

/** Creates the exchanges of one event loop. */
public record Exchanges(
    ExchangeServices services, GatewayEventLoop loop, UpstreamPools pools, CacheStep.Services caching) {

  public Exchanges(ExchangeServices services, GatewayEventLoop loop, UpstreamPools pools) {
    this(services, loop, pools, new CacheStep.Services(services.cache(), services.metrics(), loop));
  }

  /** A new exchange; {@link Exchange#begin} starts it. */
  public Exchange create(ClientStream client, ClientConnection connection, DecisionMemo memo, RequestHead head) {
    return new Exchange(this, client, connection, memo, head);
  }
}
