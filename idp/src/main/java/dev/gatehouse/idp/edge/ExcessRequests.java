package dev.gatehouse.idp.edge;

import org.eclipse.jetty.http.HttpFields;
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
    BusyReply.send(response, TEXT, callback);
    return true;
  }
}
