package dev.gatehouse.common.saml.encryption;

import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import java.util.List;
import java.util.Set;

/** Says what is encrypted for one partner, and to which of its keys. */
public record Encryption(Set<Encrypted> what, EncryptionKey key) {

  /** The result of {@link #choose}. */
  public sealed interface Choice {
    /** Nothing must be encrypted. */
    record None() implements Choice {}

    record With(Encryption encryption) implements Choice {}

    /** Something must be encrypted, but the partner publishes no usable key: nothing may be sent. */
    record NoKey() implements Choice {}
  }

  /** @param keys those in the partner's metadata; the first one is used */
  public static Choice choose(Set<Encrypted> wanted, List<EncryptionKey> keys) {
    if (wanted.isEmpty()) {
      return new Choice.None();
    }
    return keys.isEmpty() ? new Choice.NoKey() : new Choice.With(new Encryption(wanted, keys.getFirst()));
  }
}
