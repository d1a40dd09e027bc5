package dev.gatehouse.idp.passkey;

/** Why a passkey does not count: for the audit log, never for the person. */
public enum PasskeyRefusal {
  /** Not the form of a browser's answer. */
  PASSKEY_MALFORMED,
  /** The address of the request is none at which the realm's passkeys count. */
  ORIGIN_NOT_ALLOWED,
  /** The realm has no such passkey, or the person at the second step has not. */
  UNKNOWN_PASSKEY,
  /** The challenge is not ours, or another browser's, another login's or another purpose's. */
  CHALLENGE_UNKNOWN,
  /** The challenge is older than five minutes. */
  CHALLENGE_EXPIRED,
  /** The challenge was answered before. */
  CHALLENGE_USED,
  /** The browser answered at another origin. */
  WRONG_ORIGIN,
  /** The authenticator answered for another relying party. */
  WRONG_RELYING_PARTY,
  /** The device did not verify the person, and nothing else did. */
  PERSON_NOT_VERIFIED,
  /** The signature is not the passkey's. */
  WRONG_SIGNATURE,
  /** The signature counter did not grow: there may be a copy of the key. */
  COUNTER_REGRESSED,
  /** The key's permission to be copied changed, which it cannot. */
  BACKUP_ELIGIBILITY_CHANGED,
  /** The authenticator names another person. */
  OTHER_PERSON,
  /** It was enrolled by a login that was not stronger than a password, and not confirmed since. */
  PASSKEY_NOT_CONFIRMED,
  /** The authenticator does not prove that it is of a model that the realm takes. */
  ATTESTATION_REFUSED,
  /** The realm has this passkey already, or the person has as many as one may have. */
  PASSKEY_NOT_STORED
}
