package dev.gatehouse.gateway.netty.loop;

import dev.gatehouse.gateway.cache.CachedBody;
import dev.gatehouse.gateway.cache.UnreadBodies;
import org.jspecify.annotations.Nullable;

/**
 * The stored body that the current response to a client has. It counts as unread from when the client has not taken it at once, until it
 * has: most clients take a page at once. Used by one event loop.
 */
public final class UnreadBody {

  private final GatewayEventLoop loop;
  private final Runnable end;
  private @Nullable CachedBody body;
  private UnreadBodies.@Nullable Reader reader;

  /** @param end closes the client's connection, because the memory is needed; called on the event loop */
  public UnreadBody(GatewayEventLoop loop, Runnable end) {
    this.loop = loop;
    this.end = end;
  }

  /** The response that is being written has that body, or a part of it. */
  public void of(CachedBody stored) {
    body = stored;
  }

  /** Returns whether the response has a stored body. */
  public boolean isSet() {
    return body != null;
  }

  /** The client has not taken the body at once. */
  public void waits() {
    CachedBody waiting = body;
    if (waiting != null && reader == null) {
      reader = waiting.read(() -> loop.later(end));
    }
  }

  /** The client has taken the body, or has left. */
  public void taken() {
    UnreadBodies.Reader known = reader;
    body = null;
    reader = null;
    if (known != null) {
      known.done();
    }
  }

  /** The client takes the body later, and another response may follow; returns what must be called once it has taken it, or has left. */
  public Runnable waitsBehind() {
    waits();
    UnreadBodies.Reader known = reader;
    body = null;
    reader = null;
    return known == null ? () -> {} : known::done;
  }
}
