package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/**
 * The few lines of HTTP/1.1 (RFC 9112) that reach a name below {@code .localhost}: the JDK's client can neither resolve
 * it on every machine nor connect elsewhere than its URL says. Talks to this machine only, and keeps connections for what
 * follows within two seconds.
 */
final class LocalhostHttp implements AutoCloseable {

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final Duration connect;
  private final SSLSocketFactory tls;
  private final IdleConnections idle = new IdleConnections();

  LocalhostHttp(Duration connect, SSLSocketFactory tls) {
    this.connect = connect;
    this.tls = tls;
  }

  Answer send(Outgoing outgoing) {
    Origin origin = Origin.of(outgoing.url());
    Optional<DirectConnection> kept = idle.take(origin);
    if (kept.isEmpty()) {
      return onNew(outgoing, origin);
    }
    try {
      return exchange(outgoing, kept.get());
    } catch (SocketTimeoutException e) {
      return new Answer.Failed(outgoing.tooLate());
    } catch (IOException e) {
      // It closed while nobody looked. A POST may have been processed all the same (RFC 9110, section 9.2.2).
      return outgoing.body().isEmpty() && !kept.get().hasAnswered()
          ? onNew(outgoing, origin)
          : new Answer.Failed(OutboundHttp.problem(e));
    }
  }

  private Answer onNew(Outgoing outgoing, Origin origin) {
    try {
      return exchange(outgoing, DirectConnection.open(origin, LOOPBACK, connect, tls, outgoing));
    } catch (SocketTimeoutException e) {
      return new Answer.Failed(outgoing.tooLate());
    } catch (IOException e) {
      return new Answer.Failed(OutboundHttp.problem(e));
    }
  }

  private Answer exchange(Outgoing outgoing, DirectConnection connection) throws IOException {
    boolean kept = false;
    try {
      Answer answer = connection.exchange(outgoing);
      kept = connection.isReusable() && idle.keep(connection);
      return answer;
    } finally {
      if (!kept) {
        connection.close();
      }
    }
  }

  @Override
  public void close() {
    idle.close();
  }
}
