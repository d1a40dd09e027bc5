package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;

/**
 * Stores the sealed secrets that people entered for the login forms of apps; this store cannot read them. A change is durable once
 * its method has returned. Blocks: call on virtual threads only.
 */
public interface PersonSecrets {

  /**
   * A sealed secret.
   *
   * @param app at most 64 characters
   * @param name identifies the secret within the app; at most 64 characters
   */
  record SealedSecret(String app, String name, byte[] sealedValue, Instant changedAt) {
    @Override
    public String toString() {
      return "SealedSecret[" + app + ", " + name + "]";
    }
  }

  /** Returns all secrets of a person, ordered by app and name. */
  List<SealedSecret> ofPerson(String realm, PersonId person);

  /** Stores the secret and replaces an earlier one of the same app and name. */
  void put(String realm, PersonId person, SealedSecret secret);

  /** Deletes all secrets of the person for the app; returns false if there were none. */
  boolean remove(String realm, PersonId person, String app);
}
