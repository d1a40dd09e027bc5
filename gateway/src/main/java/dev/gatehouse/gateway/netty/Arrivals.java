package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.proxy.ProxyRefusal;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.gateway.exchange.ExchangeServices;
import dev.gatehouse.gateway.exchange.Exchanges;
import dev.gatehouse.gateway.netty.loop.GatewayEventLoop;
import dev.gatehouse.gateway.netty.tls.ClientCertificateChain;
import dev.gatehouse.gateway.netty.tls.ClientHello;
import dev.gatehouse.gateway.netty.tls.ListenerTls;
import dev.gatehouse.gateway.route.ClientConnection;
import dev.gatehouse.gateway.traffic.AddressBlock;
import dev.gatehouse.gateway.traffic.ConnectionCount;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections of clients as they arrive: whose they are, whether they are too many, and the first handlers that they get. */
final class Arrivals {

  /** The kind of a listener. */
  record At(Optional<ListenerTls> tls, boolean proxyProtocol) {}

  private final ExchangeServices services;
  private final TrustedProxies proxies;
  private final ProxyRefusals proxyRefusals;
  private final ConnectionCount perAddress;
  private final AtomicInteger excess = new AtomicInteger();

  Arrivals(ExchangeServices services, TrustedProxies proxies, ProxyRefusals proxyRefusals) {
    this.services = services;
    this.proxies = proxies;
    this.proxyRefusals = proxyRefusals;
    this.perAddress = new ConnectionCount(services.limits().connectionsPerAddress());
  }

  void accept(Channel channel, Exchanges exchanges, At at) {
    InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
    if (at.proxyProtocol() && !proxies.isTrusted(peer.getAddress())) {
      int port = ((InetSocketAddress) channel.localAddress()).getPort();
      proxyRefusals.count(ProxyRefusal.UNTRUSTED, peer.getAddress(), port);
      channel.close();
      return;
    }
    AtomicInteger connections = services.metrics().connections();
    boolean tooMany = connections.incrementAndGet() > services.limits().connections();
    channel.config().setRecvByteBufAllocator(exchanges.loop().receive());
    if (tooMany) {
      connections.decrementAndGet();
    } else {
      channel.closeFuture().addListener(closed -> connections.decrementAndGet());
    }
    ClientConnection.Peer direct = new ClientConnection.Peer(peer.getAddress(), at.tls().isPresent(), false);
    if (!at.proxyProtocol()) {
      begin(channel, exchanges, at, direct, tooMany);
      return;
    }
    channel
        .pipeline()
        .addLast(
            new ProxyHeaderHandler(
                exchanges.loop(), proxyRefusals, direct, client -> begin(channel, exchanges, at, client, tooMany)));
  }

  private void begin(Channel channel, Exchanges exchanges, At at, ClientConnection.Peer peer, boolean tooMany) {
    GatewayEventLoop loop = exchanges.loop();
    Optional<ConnectionCount.OfAddress> ofAddress = tooMany ? Optional.empty() : counted(channel, peer.address());
    if (ofAddress.isEmpty()) {
      refuse(channel, loop, at);
      return;
    }
    ClientConnection.Tls handshake = new ClientConnection.Tls(new ClientCertificateChain(channel), () -> ClientHello.digestOf(channel));
    ClientConnection connection = new ClientConnection(peer, proxies, handshake, ofAddress.get());
    at.tls().ifPresent(of -> channel.pipeline().addLast(of.handler(channel, services.limits().times().head())));
    channel.pipeline().addLast(new ProtocolChoice(exchanges, connection));
  }

  /**
   * Counts the connection among those of its address; empty if it is one too many. Connections of a trusted proxy carry many
   * people's requests, so the limit does not apply to them.
   */
  private Optional<ConnectionCount.OfAddress> counted(Channel channel, InetAddress address) {
    if (proxies.isTrusted(address)) {
      return Optional.of(ConnectionCount.OfAddress.NONE);
    }
    AddressBlock block = AddressBlock.of(address);
    Optional<ConnectionCount.OfAddress> opened = perAddress.open(block);
    opened.ifPresent(open -> channel.closeFuture().addListener(closed -> perAddress.closed(block)));
    return opened;
  }

  /** Answers an excess connection, unless too many of these are open already. */
  private void refuse(Channel channel, GatewayEventLoop loop, At at) {
    services.metrics().countExcess();
    Optional<ExcessConnection> answering = ExcessConnection.of(channel, loop, excess, services.limits().connections());
    if (answering.isEmpty()) {
      channel.close();
      return;
    }
    at.tls().ifPresent(of -> channel.pipeline().addLast(of.handler(channel, services.limits().times().head())));
    channel.pipeline().addLast(answering.get());
  }
}
