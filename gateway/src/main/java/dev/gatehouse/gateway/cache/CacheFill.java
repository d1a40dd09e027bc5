package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.ResponseHead;
import java.util.Optional;

/**
 * A request to the app that fills the cache. Created before the request is sent, so that purges that happen meanwhile
 * are detected.
 *
 * @param purges the purge counter at the beginning
 * @param generation the generation of the address at the beginning
 */
public record CacheFill(ResponseCache cache, CacheKey key, long purges, long generation) {

  /** Stores a response whose body is complete. */
  public Result store(
      CacheFillRequest request, RoleKey roles, ResponseHead head, Freshness freshness, CollectedBody body, long answered) {
    StoredResponse response =
        StoredResponse.of(request, roles, head, freshness, body.toBody(key), answered);
    Optional<NotStored> refused = cache.keep(this, response);
    return new Result(response, refused);
  }

  /**
   * Extends the lifetime of a stored response that the app has confirmed with a 304, or drops it if the 304 forbids
   * storing. Fields of a 304 to a peculiar request affect only that request.
   */
  public Result confirm(CacheFillRequest request, StoredResponse known, ResponseHead confirmed, long asked, long answered) {
    StoredResponse response = known.freshened(confirmed, asked, answered);
    CacheControl control = Freshness.control(response.fields());
    if (control.noStore() || control.isPrivate() || known.isShared() && !response.isShared()) {
      cache.invalidate(key);
      return new Result(response, Optional.of(control.noStore() ? NotStored.NO_STORE : NotStored.PRIVATE));
    }
    Optional<NotStored> refused = Storability.refusalToConfirm(request, response);
    return new Result(response, refused.isPresent() ? refused : cache.keep(this, response));
  }

  /** A collector for the body. */
  public CollectedBody newBody() {
    return new CollectedBody(cache);
  }

  /**
   * The result of a fill.
   *
   * @param refused why the response was not stored; it may still be sent to the client that has waited for it
   */
  public record Result(StoredResponse response, Optional<NotStored> refused) {}
}
