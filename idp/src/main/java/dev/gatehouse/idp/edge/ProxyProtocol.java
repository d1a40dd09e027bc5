package dev.gatehouse.idp.edge;

import dev.gatehouse.common.proxy.ProxyHeader;
import dev.gatehouse.common.proxy.ProxyHeaderReader;
import dev.gatehouse.common.proxy.ProxyRefusal;
import dev.gatehouse.common.proxy.ProxyRefusals;
import dev.gatehouse.common.node.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpScheme;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ProxyConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * The PROXY protocol before TLS and HTTP. Jetty's own factory takes headers of everybody, waits without an end while bytes come,
 * and reads addresses less strictly.
 */
final class ProxyProtocol extends AbstractConnectionFactory {

  private static final String NAME = "proxy";

  /** The attribute of requests behind a header: whether the balancer did not name the client. */
  private static final String ANONYMOUS = ProxyProtocol.class.getName();

  private final TrustedProxies proxies;
  private final ProxyRefusals refusals;
  private final String next;

  /** @param next the protocol that follows the header */
  ProxyProtocol(TrustedProxies proxies, ProxyRefusals refusals, String next) {
    super(NAME);
    this.proxies = proxies;
    this.refusals = refusals;
    this.next = next;
  }

  /** Tells requests what the header of their connection said. */
  static void mark(HttpConfiguration http) {
    http.addCustomizer(
        (request, headers) -> {
          EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
          while (!(end instanceof ClientEndPoint) && end instanceof EndPoint.Wrapper within) {
            end = within.unwrap();
          }
          boolean named = end instanceof ClientEndPoint to && !to.anonymous;
          request.setAttribute(ANONYMOUS, !named);
          return end instanceof ClientEndPoint client && client.secure && !request.isSecure() ? new SecureRequest(request) : request;
        });
  }

  /** A request of a client whose TLS ended at the balancer. */
  private static final class SecureRequest extends Request.Wrapper {

    private final HttpURI uri;

    SecureRequest(Request request) {
      super(request);
      this.uri = HttpURI.build(request.getHttpURI()).scheme(HttpScheme.HTTPS).asImmutable();
    }

    @Override
    public HttpURI getHttpURI() {
      return uri;
    }

    @Override
    public boolean isSecure() {
      return true;
    }
  }

  /** Returns whether the connection has the address of a balancer that did not name the client. */
  static boolean isAnonymous(HttpServletRequest request) {
    return Boolean.TRUE.equals(request.getAttribute(ANONYMOUS));
  }

  /** Returns whether the request came through a balancer that sent a header. */
  static boolean isBehind(HttpServletRequest request) {
    return request.getAttribute(ANONYMOUS) != null;
  }

  @Override
  public Connection newConnection(Connector connector, EndPoint endPoint) {
    return configure(new HeaderConnection(connector, endPoint), connector, endPoint);
  }

  /** A connection whose header arrives. */
  private final class HeaderConnection extends AbstractConnection implements Connection.UpgradeFrom {

    private final Connector connector;
    private final ByteBuffer input = ByteBuffer.allocate(ProxyHeaderReader.MAX_BYTES);
    private Scheduler.@Nullable Task deadline;

    HeaderConnection(Connector connector, EndPoint endPoint) {
      super(endPoint, connector.getExecutor());
      this.connector = connector;
    }

    @Override
    public void onOpen() {
      super.onOpen();
      if (!proxies.isTrusted(peer().getAddress())) {
        refuse(ProxyRefusal.UNTRUSTED);
        return;
      }
      deadline =
          connector
              .getScheduler()
              .schedule(() -> refuse(ProxyRefusal.TOO_SLOW), ProxyHeaderReader.TIME.toNanos(), TimeUnit.NANOSECONDS);
      fillInterested();
    }

    @Override
    public void onFillable() {
      try {
        int filled = fill();
        while (filled > 0) {
          if (read()) {
            return;
          }
          filled = fill();
        }
        if (filled < 0) {
          // Balancers that only look whether the port is open send no header.
          end();
        } else {
          fillInterested();
        }
      } catch (IOException e) {
        end();
      }
    }

    private int fill() throws IOException {
      // Jetty appends behind the limit.
      ByteBuffer rest = input.slice().limit(0);
      int filled = getEndPoint().fill(rest);
      input.position(input.position() + Math.max(0, filled));
      return filled;
    }

    /** Returns whether the header has ended, or the connection. */
    private boolean read() {
      return switch (ProxyHeaderReader.read(input.duplicate().flip())) {
        case ProxyHeader.Incomplete incomplete -> false;
        case ProxyHeader.Refused(ProxyRefusal refusal) -> refuse(refusal);
        case ProxyHeader.Own(int length) -> proceed(new ClientEndPoint(getEndPoint(), peer(), false, true), length);
        case ProxyHeader.Proxied(var client, boolean secure, int length) ->
            proceed(new ClientEndPoint(getEndPoint(), new InetSocketAddress(client, 0), secure, false), length);
      };
    }

    private boolean proceed(ClientEndPoint client, int length) {
      if (!isInTime()) {
        return true;
      }
      input.flip().position(length);
      ConnectionFactory following = connector.getConnectionFactory(next);
      client.upgrade(following.newConnection(connector, client));
      return true;
    }

    @Override
    public @Nullable ByteBuffer onUpgradeFrom() {
      if (!input.hasRemaining()) {
        return null;
      }
      ByteBuffer rest = ByteBuffer.allocateDirect(input.remaining());
      rest.put(input).flip();
      return rest;
    }

    private boolean refuse(ProxyRefusal refusal) {
      InetSocketAddress here = (InetSocketAddress) getEndPoint().getLocalSocketAddress();
      refusals.count(refusal, peer().getAddress(), here.getPort());
      return end();
    }

    private boolean end() {
      isInTime();
      close();
      return true;
    }

    /** Ends the wait for the header; returns whether it had not ended. */
    private boolean isInTime() {
      Scheduler.Task task = deadline;
      return task == null || task.cancel();
    }

    private InetSocketAddress peer() {
      return (InetSocketAddress) getEndPoint().getRemoteSocketAddress();
    }
  }

  /** The end of a connection with the address of the client that a balancer named. */
  private static final class ClientEndPoint extends ProxyConnectionFactory.ProxyEndPoint {

    private final boolean secure;
    private final boolean anonymous;

    ClientEndPoint(EndPoint endPoint, SocketAddress client, boolean secure, boolean anonymous) {
      super(endPoint, endPoint.getLocalSocketAddress(), client, Map.of(), null);
      this.secure = secure;
      this.anonymous = anonymous;
    }
  }
}
