package dev.gatehouse.common.session;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Set;

/** What both kinds of session share. Implementations are records. */
public interface Session {
  SessionId id();

  String realm();

  PersonId person();

  Instant createdAt();

  /** Whichever of idle and absolute end comes first, as of the last touch. */
  Instant expiresAt();

  /** Further keys that {@link SessionStore#byIndex} finds it by, for example Issuer, NameID and SessionIndex. */
  Set<String> indexKeys();
}
