package dev.gatehouse.common.session;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The common part of identity provider sessions and app sessions. Implementations are records. */
public interface Session {
  SessionId id();

  String realm();

  PersonId person();

  Instant createdAt();

  /** Returns the earlier of the idle end and the absolute end, as of the last touch. */
  Instant expiresAt();

  /** Returns further keys for {@link SessionStore#byIndex}, for example Issuer, NameID and SessionIndex. */
  Set<String> indexKeys();

  /**
   * Returns this session with another {@link #expiresAt} and nothing else changed, as a use does; empty where sessions of this kind are not
   * prolonged by use.
   */
  default Optional<? extends Session> expiringAt(Instant end) {
    return Optional.empty();
  }
}
