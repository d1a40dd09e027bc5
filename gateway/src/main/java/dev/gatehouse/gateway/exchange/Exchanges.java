package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.authn.DecisionMemo;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.upstream.UpstreamPools;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.stream.ClientStream;

/** Creates the exchanges of one event loop. */
public record Exchanges(ExchangeServices services, GatewayEventLoop loop, UpstreamPools pools) {

  /** A new exchange; {@link Exchange#begin} starts it. */
  public Exchange create(ClientStream client, ClientConnection connection, DecisionMemo memo, RequestHead head) {
    return new Exchange(this, client, connection, memo, head);
  }
}
