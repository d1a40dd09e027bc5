package dev.gatehouse.gateway.admin;

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

/** Answers requests that Jetty itself refuses with problem details that repeat nothing of the request. */
final class AdminErrors extends ErrorHandler {

  private static final String TYPE = "application/problem+json;charset=utf-8";

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, TYPE);
    response.getHeaders().put(new HttpField("X-Content-Type-Options", "nosniff"));
    Content.Sink.write(response, true, problem(response.getStatus()), callback);
    return true;
  }

  @Override
  public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
    fields.put(HttpHeader.CONTENT_TYPE, TYPE);
    fields.put(HttpHeader.CACHE_CONTROL, "no-store");
    return ByteBuffer.wrap(problem(status).getBytes(StandardCharsets.UTF_8));
  }

  private static String problem(int status) {
    return "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d}".formatted(HttpStatus.getMessage(status), status);
  }
}
