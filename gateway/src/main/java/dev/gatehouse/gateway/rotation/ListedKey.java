package dev.gatehouse.gateway.rotation;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.KeyFolder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A key as the command line lists it.
 *
 * @param state as in the REST interface: current, next, previous, retired or configured
 * @param notAfter the end of its certificate
 */
public record ListedKey(String state, String id, String algorithm, Instant notAfter) {

  /** Returns the keys of a ring, the current one first. */
  public static List<ListedKey> of(KeyFolder.Ring ring) {
    List<ListedKey> keys = new ArrayList<>();
    keys.add(of("current", ring.current()));
    ring.next().ifPresent(key -> keys.add(of("next", key)));
    ring.previous().ifPresent(key -> keys.add(of("previous", key)));
    ring.retired().forEach(retired -> keys.add(of("retired", retired.key())));
    return List.copyOf(keys);
  }

  /** Returns a key in a state. */
  public static ListedKey of(String state, SigningKey key) {
    return new ListedKey(state, key.id(), key.algorithm().name(), key.certificate().getNotAfter().toInstant());
  }
}
