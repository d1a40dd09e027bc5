package dev.gatehouse.gateway.netty.loop;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The platform's transport and TLS: epoll and BoringSSL on Linux, the JDK's own elsewhere. */
public enum TransportProvider {
  EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
  NIO(NioServerSocketChannel.class, NioSocketChannel.class);

  private final Class<? extends ServerChannel> serverChannel;
  private final Class<? extends SocketChannel> clientChannel;

  TransportProvider(Class<? extends ServerChannel> serverChannel, Class<? extends SocketChannel> clientChannel) {
    this.serverChannel = serverChannel;
    this.clientChannel = clientChannel;
  }

  public static TransportProvider best() {
    return Epoll.isAvailable() ? EPOLL : NIO;
  }

  public static SslProvider bestTls() {
    return OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK;
  }

  /** Makes event loops whose threads have a name that begins with the given word. */
  public EventLoopGroup newLoops(String name, int count) {
    IoHandlerFactory handlers =
        switch (this) {
          case EPOLL -> EpollIoHandler.newFactory();
          case NIO -> NioIoHandler.newFactory();
        };
    return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(name), handlers);
  }

  public Class<? extends ServerChannel> serverChannel() {
    return serverChannel;
  }

  public Class<? extends SocketChannel> clientChannel() {
    return clientChannel;
  }
}
