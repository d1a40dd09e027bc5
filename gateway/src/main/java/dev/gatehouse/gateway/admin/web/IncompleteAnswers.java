package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.refusal.FaultLog;
import dev.gatehouse.common.request.RequestId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Breaks the connection of an answer that fails after its begin was sent, so that its reader knows that it is incomplete (RFC 9112, section
 * 8). The handlers of exceptions would append a problem to it, and the reader of an export would take it for whole.
 */
public final class IncompleteAnswers implements HandlerExceptionResolver {

  private static final Logger LOG = LoggerFactory.getLogger(IncompleteAnswers.class);

  private static final String TRANSFER_ENCODING = "Transfer-Encoding";
  private static final String CHUNKED = "chunked";

  private final FaultLog faults = new FaultLog(LOG);

  IncompleteAnswers() {}

  /** Sends an answer in chunks, of which the last says that it is whole, also over a connection that ends with it. */
  public static void sendInChunks(HttpServletResponse response) {
    response.setHeader(TRANSFER_ENCODING, CHUNKED);
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
    if (!response.isCommitted()) {
      return null;
    }
    String reference = RequestId.current().orElse("-");
    if (isOfReader(failure)) {
      LOG.info("An answer of the administration (reference {}) was not read to its end", reference);
    } else {
      faults.failed("An answer of the administration (reference " + reference + "), after its begin was sent,", failure);
    }
    try {
      end(request, response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ModelAndView();
  }

  /** Returns whether the answer could not be sent because its reader has gone. */
  private static boolean isOfReader(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EofException) {
        return true;
      }
    }
    return false;
  }

  /** Ends the connection in the midst of an answer. */
  static void end(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getProtocol().equals("HTTP/1.0") || !CHUNKED.equals(response.getHeader(TRANSFER_ENCODING))) {
      // The end of the connection may end the body, as for HTTP/1.0: then only a reset shows that the body is incomplete.
      reset(ServletContextRequest.getServletContextRequest(request).getConnectionMetaData().getConnection().getEndPoint());
    }
    // So an application tells Jetty to end the response without its last chunk, and to close the connection.
    response.sendError(-1, "incomplete");
  }

  private static void reset(EndPoint of) throws IOException {
    Object transport = of;
    while (transport instanceof EndPoint wrapped) {
      // Below TLS, whose own end would look like that of the body.
      transport = wrapped.getTransport();
    }
    if (transport instanceof SocketChannel channel) {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.close();
    }
  }
}
