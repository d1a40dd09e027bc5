package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.codec.JsonText;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
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
    response.write(true, ByteBuffer.wrap(problem(response.getStatus())), callback);
    return true;
  }

  @Override
  public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
    fields.put(HttpHeader.CONTENT_TYPE, TYPE);
    fields.put(HttpHeader.CACHE_CONTROL, "no-store");
    return ByteBuffer.wrap(problem(status));
  }

  private static byte[] problem(int status) {
    return new JsonText().text("type", "about:blank").text("title", HttpStatus.getMessage(status)).number("status", status).toBytes();
  }
}
