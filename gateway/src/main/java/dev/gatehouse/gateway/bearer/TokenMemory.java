package dev.gatehouse.gateway.bearer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.gatehouse.common.crypto.Sha256;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * A bounded cache of the verification results of a route's tokens. It stores digests, not tokens. It belongs to the
 * compiled route, so it is dropped when the route changes.
 */
public final class TokenMemory {

  private static final int MAX = 20_000;

  /**
   * @param keys the issuer's keys at that time, compared by identity; if they have changed, the token is verified again
   * @param until when the entry expires
   */
  private record Entry(TokenLookup result, Object keys, Instant until) {}

  private final Cache<String, Entry> entries = Caffeine.newBuilder().maximumSize(MAX).executor(Runnable::run).build();

  /**
   * The cached result if it is still usable; never blocks.
   *
   * @param keysNow the current keys of the result's issuer
   */
  Optional<TokenLookup> find(String token, Function<TokenLookup, Object> keysNow, Instant now) {
    return Optional.ofNullable(entries.getIfPresent(digest(token)))
        .filter(entry -> now.isBefore(entry.until()) && entry.keys() == keysNow.apply(entry.result()))
        .map(Entry::result);
  }

  void remember(String token, TokenLookup result, Object keys, Instant until) {
    entries.put(digest(token), new Entry(result, keys, until));
  }

  private static String digest(String token) {
    return Sha256.base64Url(token);
  }
}
