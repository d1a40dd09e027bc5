package dev.gatehouse.idp.edge;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Reports requests to {@link BoundedListeners}, refuses requests of connections beyond the bound, and tells clients before the end that
 * their connections end.
 */
final class ExcessRequests extends Handler.Wrapper {

  private static final String TEXT = "Too many connections. Please try again in a moment.\n";
  private static final HttpField RETRY_AFTER = new HttpField(HttpHeader.RETRY_AFTER, "2");

  private final BoundedListeners listeners;

  ExcessRequests(BoundedListeners listeners, Handler handler) {
    super(handler);
    this.listeners = listeners;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    boolean excess = listeners.begin(request);
    Request.addCompletionListener(request, failure -> listeners.end(request));
    if (listeners.isEnding()) {
      response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    }
    if (!excess) {
      return super.handle(request, response, callback);
    }
    response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503);
    response
        .getHeaders()
        .put(RETRY_AFTER)
        .put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString())
        .put(HttpHeader.CACHE_CONTROL, "no-store")
        .put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
    Content.Sink.write(response, true, TEXT, callback);
    return true;
  }
}
