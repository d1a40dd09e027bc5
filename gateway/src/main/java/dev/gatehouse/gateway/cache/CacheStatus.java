package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import java.util.Locale;
import java.util.Optional;

/** The Cache-Status field (RFC 9211), which says how the cache handled a request. */
public final class CacheStatus {

  static final String NAME = "Gatehouse";

  private CacheStatus() {}

  /** The reason why a request was forwarded to the app. */
  public enum Forward {
    /** No response is stored for the address. */
    URI_MISS,
    /** A response is stored for the address, but not for this variant. */
    VARY_MISS,
    STALE,
    METHOD,
    /** The request asks for something that the cache cannot answer. */
    REQUEST,
    /** The cache knows that it may not store the response. */
    BYPASS
  }

  /**
   * The field of a response from the app.
   *
   * @param refused why it is not stored; empty if it is
   */
  public static Edit forwarded(Forward why, Optional<NotStored> refused) {
    String text = NAME + "; fwd=" + why.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return new Edit("Cache-Status", text + refused.map(r -> "; detail=" + r.name()).orElse("; stored"));
  }
}
