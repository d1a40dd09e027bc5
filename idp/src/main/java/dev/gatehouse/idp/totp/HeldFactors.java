package dev.gatehouse.idp.totp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.endpoint.RealmRequest;

/** What people have that is stronger than a password: implemented where passkeys and tokens are known as well. */
public interface HeldFactors {

  /** Returns whether the person has any of them: a thief of the password must then add nothing and change nothing. */
  boolean hasAny(RealmRequest request, PersonId person);
}
