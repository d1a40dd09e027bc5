package dev.gatehouse.gateway.exchange.cache;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.cache.CacheKey;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.cache.UnsafeRequest;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.route.PathRoutes;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.stream.PassingSink;
import dev.gatehouse.gateway.stream.ResponseSink;

/** Invalidates the stored responses of addresses that an unsafe request has changed (RFC 9111, section 4.4). */
public final class InvalidatingSink extends PassingSink {

  private final ResponseCache cache;
  private final PermittedRequest request;

  /** Wraps {@code next} if the request is unsafe; otherwise returns {@code next}. */
  public static ResponseSink where(PermittedRequest request, ResponseCache cache, ResponseSink next) {
    String method = request.head().method();
    boolean safe = method.equals("GET") || request.head().isHead() || method.equals("OPTIONS");
    return safe ? next : new InvalidatingSink(cache, next, request);
  }

  private InvalidatingSink(ResponseCache cache, ResponseSink next, PermittedRequest request) {
    super(next);
    this.cache = cache;
    this.request = request;
  }

  @Override
  public void head(ResponseHead head, ResponseEdits edits) {
    if (head.status() < 400) {
      Origin origin = request.to().origin();
      // Another route than the request's may store the responses to GET.
      PathRoutes routes = request.to().site().routes();
      for (CacheKey key : UnsafeRequest.changed(origin, request.path(), query(), head, routes::keyed)) {
        cache.invalidate(key);
      }
    }
    super.head(head, edits);
  }

  private String query() {
    RequestHead head = request.head();
    return Ascii.string(head.fields().bytes(), head.pathEnd(), head.targetEnd());
  }
}
