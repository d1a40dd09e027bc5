package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import java.util.Locale;
import java.util.Optional;

/** The Cache-Status field (RFC 9211): what the cache did with a request. */
public final class CacheStatus {

  static final String NAME = "Gatehouse";

  private CacheStatus() {}

  /** Why a request went to the app. */
  public enum Forward {
    /** Nothing is kept under that address. */
    URI_MISS,
    /** Something is kept, but not for such a request. */
    VARY_MISS,
    STALE,
    METHOD,
    /** The request asks for something that the cache cannot answer. */
    REQUEST,
    /** The cache knows that it cannot keep the answer. */
    BYPASS
  }

  /** Of a response that comes from the app. @param refused why it is not kept; empty where it is */
  public static Edit forwarded(Forward why, Optional<NotStored> refused) {
    String text = NAME + "; fwd=" + why.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return new Edit("Cache-Status", text + refused.map(r -> "; detail=" + r.name()).orElse("; stored"));
  }
}
