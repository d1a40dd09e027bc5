package dev.gatehouse.common.saml;

import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import java.util.List;
import java.util.Set;

/** What is encrypted for one partner, and to which key of its. */
public record Encryption(Set<Encrypted> what, EncryptionKey key) {

  /** What came of the wish to encrypt. */
  public sealed interface Choice {
    /** Nothing is to be encrypted. */
    record None() implements Choice {}

    record With(Encryption encryption) implements Choice {}

    /** Something is to be encrypted, but the partner publishes no key that we encrypt to: nothing may be sent. */
    record NoKey() implements Choice {}
  }

  /** @param keys the partner's, as its metadata lists them; the first is taken */
  public static Choice choose(Set<Encrypted> wanted, List<EncryptionKey> keys) {
    if (wanted.isEmpty()) {
      return new Choice.None();
    }
    return keys.isEmpty() ? new Choice.NoKey() : new Choice.With(new Encryption(wanted, keys.getFirst()));
  }
}
