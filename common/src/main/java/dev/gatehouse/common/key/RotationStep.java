package dev.gatehouse.common.key;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A step of the rotation of a key, and when it is safe. */
public enum RotationStep {
  /** Creates the next key and publishes it. */
  PREPARE,

  /** Makes the next key the current one. */
  PROMOTE,

  /** Drops the previous key. */
  RETIRE;

  /** The longest time for which readers may use metadata of ours without fetching it anew. */
  private static final Duration METADATA = KeyFolder.GRACE.minusDays(1);

  /** The longest time after which clients and apps fetch our public keys for tokens anew. */
  private static final Duration TOKEN_KEYS = Duration.ofMinutes(15);

  /** Beyond the longest life of a SAML message or identity token that the configuration permits, an hour, and any clock. */
  private static final Duration MESSAGES = Duration.ofHours(2);

  /** Beyond the longest life of a token that the configuration permits, a day, and any clock. */
  private static final Duration TOKENS = Duration.ofHours(25);

  /**
   * Returns the time from which the step disturbs nobody: readers know the next key by then, or nothing that the previous key signed
   * is valid any more. Empty if the step is safe at any time, or if the ring does not permit it.
   */
  public Optional<Instant> safeFrom(KeyUse use, KeyFolder.Ring ring) {
    // Keys for encryption that are not published any more still decrypt.
    if (use.isEncryption()) {
      return Optional.empty();
    }
    return switch (this) {
      case PREPARE -> Optional.empty();
      case PROMOTE -> ring.since().next().map(at -> at.plus(use.isTokens() || use.isIdentity() ? TOKEN_KEYS : METADATA));
      case RETIRE -> ring.since().previous().map(at -> at.plus(use.isTokens() ? TOKENS : MESSAGES));
    };
  }

  /** Returns the name of the step in the audit log. */
  public String action() {
    return "key." + word();
  }

  /** Returns the word of the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns what the audit log says of the step: the ids of the keys before and after it.
   *
   * @param now whether it was taken without a look at {@link #safeFrom}
   */
  public Map<String, String> details(KeyUse use, KeyFolder.Ring before, KeyFolder.Ring after, boolean now) {
    return Map.of("use", use.name(), "before", ids(before), "after", ids(after), "now", String.valueOf(now));
  }

  private static String ids(KeyFolder.Ring ring) {
    return Stream.of(
            Optional.of("current=" + ring.current().id()),
            ring.next().map(key -> "next=" + key.id()),
            ring.previous().map(key -> "previous=" + key.id()))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(" "));
  }
}
