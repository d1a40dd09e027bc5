package dev.gatehouse.gateway.bearer;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was found of the tokens that a route has seen lately. Bounded; by digest, so that it holds no token; gone when the route
 * changes, since it is the compiled route's own.
 */
public final class TokenMemory {

  private static final int MOST = 20_000;

  /**
   * @param keys the issuer's keys at that time, by identity: with other ones it is looked at anew
   * @param until when it does not count any more
   */
  private record Entry(TokenLookup looked, Object keys, Instant until) {}

  private final Cache<String, Entry> entries = Caffeine.newBuilder().maximumSize(MOST).build();

  /** What is remembered of it, as far as that still counts; never blocks. @param keysNow of the issuer of what was found */
  Optional<TokenLookup> find(String token, Function<TokenLookup, Object> keysNow, Instant now) {
    return Optional.ofNullable(entries.getIfPresent(digest(token)))
        .filter(entry -> now.isBefore(entry.until()) && entry.keys() == keysNow.apply(entry.looked()))
        .map(Entry::looked);
  }

  void remember(String token, TokenLookup looked, Object keys, Instant until) {
    entries.put(digest(token), new Entry(looked, keys, until));
  }

  private static String digest(String token) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
