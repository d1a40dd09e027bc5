package dev.gatehouse.common.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.impl.io.DefaultManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HttpClient that is not reused if its server sent more than the response. It logs no message: heads and
 * bodies carry tokens and client secrets.
 */
final class OutboundConnection extends DefaultManagedHttpClientConnection {

  private @Nullable SessionInputBuffer input;

  OutboundConnection(String id, Http1Config limits) {
    super(id, null, null, limits, null, null, null, HeadParser::new);
  }

  @Override
  public void bind(Socket socket) throws IOException {
    bind(new SocketHolder(socket));
  }

  @Override
  public void bind(SSLSocket secured, Socket socket) throws IOException {
    bind(new SocketHolder(secured, socket));
  }

  @Override
  protected InputStream createContentInputStream(long length, SessionInputBuffer buffer, InputStream in) {
    input = buffer;
    return super.createContentInputStream(length, buffer, in);
  }

  /** Refuses reuse with leftover bytes: they would be taken for the response to the next request (RFC 9112, section 9.3). */
  @Override
  public boolean isConsistent() {
    return super.isConsistent() && !hasLeftover();
  }

  /** Returns whether the server has closed the connection or has sent unrequested bytes. HttpClient's own check waits a millisecond. */
  @Override
  public boolean isStale() {
    SocketHolder holder = getSocketHolder();
    if (holder == null || hasLeftover()) {
      return true;
    }
    SSLSocket secured = holder.getSSLSocket();
    try {
      return (secured != null && secured.getInputStream().available() > 0)
          || !isQuiet(holder.getBaseSocket().getChannel());
    } catch (IOException e) {
      return true;
    }
  }

  private boolean hasLeftover() {
    return input != null && input.length() > 0;
  }

  private static boolean isQuiet(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    int read = channel.read(ByteBuffer.allocate(1));
    channel.configureBlocking(true);
    return read == 0;
  }

  @Override
  protected void onRequestSubmitted(ClassicHttpRequest request) {
    CurrentExchange.CURRENT.get().enter(CurrentExchange.Phase.RESPONSE);
  }

  @Override
  protected void onResponseReceived(ClassicHttpResponse response) {
    // HttpClient would log the response here.
  }
}
