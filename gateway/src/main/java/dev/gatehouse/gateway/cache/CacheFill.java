package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.ResponseHead;
import java.util.Optional;

/**
 * What is asked of the app for the cache, from before the request is sent: knows which purges it has not seen.
 *
 * @param purges counted when it began
 * @param generation of its address when it began
 */
public record CacheFill(ResponseCache cache, CacheKey key, long purges, long generation) {

  /** Keeps a response whose body came whole. */
  public Kept keep(
      CacheFillRequest request, RoleKey roles, ResponseHead head, Freshness freshness, CollectedBody body, long answered) {
    StoredResponse response =
        StoredResponse.of(request, roles, head, freshness, body.toBuffer(), answered);
    Optional<NotStored> refused = cache.keep(this, response);
    return new Kept(response, refused);
  }

  /**
   * Keeps a response that the app has confirmed by a 304 for longer; drops it where the app takes that back. Fields of
   * a 304 that answers a peculiar request are for that one alone.
   */
  public Kept confirm(CacheFillRequest request, StoredResponse known, ResponseHead confirmed, long asked, long answered) {
    StoredResponse response = known.freshened(confirmed, asked, answered);
    CacheControl control = Freshness.control(response.fields());
    if (control.noStore() || control.isPrivate() || known.isShared() && !response.isShared()) {
      cache.invalidate(key);
      return new Kept(response, Optional.of(control.noStore() ? NotStored.NO_STORE : NotStored.PRIVATE));
    }
    Optional<NotStored> refused = Storability.refusalToConfirm(request, response);
    return new Kept(response, refused.isPresent() ? refused : cache.keep(this, response));
  }

  /** Somewhere to gather a body in. */
  public CollectedBody gather() {
    return new CollectedBody(cache);
  }

  /** @param refused why it is not kept after all; it may still be sent to who has waited for it */
  public record Kept(StoredResponse response, Optional<NotStored> refused) {}
}
