package dev.gatehouse.common.device;

import java.util.Locale;

/** The reasons for which a proof of a key is refused. */
public enum ProofRefusal {
  /** There is no proof, or it cannot be read. */
  UNREADABLE,
  /** Its type is not {@code dbsc+jwt}, or its algorithm neither ES256 nor RS256. */
  OTHER_TYPE,
  /** It is not signed with the key that it names, or with the session's key. */
  NOT_SIGNED_BY_KEY,
  /** The page that made it runs on another device than the one that registered the key. */
  OTHER_DEVICE,
  /** It names another address or session. */
  OTHER_ADDRESSEE,
  /** Its challenge is not one of ours, or was made for another session. */
  FOREIGN_CHALLENGE,
  CHALLENGE_EXPIRED,
  CHALLENGE_REPLAYED,
  /** The session has a key already, or one of the other kind. */
  ALREADY_BOUND,
  /** The session has no key. */
  NOT_BOUND,
  /** The session began too long ago to take a key. */
  TOO_LATE;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
