package dev.gatehouse.idp.edge;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers the requests that Jetty itself refuses (unreadable requests, ambiguous paths) before our code sees them, with
 * one plain line that repeats nothing of the request.
 */
final class PlainErrorHandler extends ErrorHandler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    response.getHeaders().put(new HttpField("X-Content-Type-Options", "nosniff"));
    Content.Sink.write(response, true, line(response.getStatus()), callback);
    return true;
  }

  @Override
  public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
    fields.put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    fields.put(HttpHeader.CACHE_CONTROL, "no-store");
    return ByteBuffer.wrap(line(status).getBytes(StandardCharsets.UTF_8));
  }

  private static String line(int status) {
    return status + " " + HttpStatus.getMessage(status) + "\n";
  }
}
