package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;

/**
 * What people have stored for the login forms of apps, sealed: this store cannot read it. What returned is durable. Blocks:
 * call on virtual threads only.
 */
public interface PersonSecrets {

  /**
   * One of them.
   *
   * @param app at most 64 characters
   * @param name of the secret among those of the app; at most 64 characters
   */
  record SealedSecret(String app, String name, byte[] sealedValue, Instant changedAt) {
    @Override
    public String toString() {
      return "SealedSecret[" + app + ", " + name + "]";
    }
  }

  /** All of a person's, by app and name. */
  List<SealedSecret> ofPerson(String realm, PersonId person);

  /** Stores it, in place of an earlier one of that app and name. */
  void put(String realm, PersonId person, SealedSecret secret);

  /** Forgets all that the person stored for the app; false where that was nothing. */
  boolean remove(String realm, PersonId person, String app);
}
