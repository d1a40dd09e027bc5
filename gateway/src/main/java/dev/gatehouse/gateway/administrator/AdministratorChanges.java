package dev.gatehouse.gateway.administrator;

import dev.gatehouse.common.key.AdministratorGrant;
import java.time.Instant;
import java.util.Optional;

/** Grants and revokes roles of people on the host, whether the node runs or not. */
public interface AdministratorChanges {

  /** Signals that nothing was changed, or that nobody knows whether it was; the message says which, and why. */
  final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Refused(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Grants a role, in place of the person's role for the same realm.
   *
   * @param person user name or id
   * @param expiresAt when it ends by itself; empty: never
   * @param evenLast whether the last administrator of all realms may lose that role
   * @throws Refused if there is no such person or realm, or it would be the last administrator
   */
  void grant(String person, AdministratorGrant grant, Optional<Instant> expiresAt, boolean evenLast);

  /**
   * Revokes the role for a realm.
   *
   * @param person user name or id
   * @param realm the realm that the role is for; empty: all roles of the person
   * @param evenLast whether the last administrator of all realms may lose that role
   * @throws Refused if the person has no such role, or it would be the last administrator
   */
  void revoke(String person, Optional<String> realm, boolean evenLast);
}
