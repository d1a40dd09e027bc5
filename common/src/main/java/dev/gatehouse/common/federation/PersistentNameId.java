package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;

/**
 * A persistent name that our idp gave to a partner (SAML Core 8.3.7).
 *
 * @param partner its entity ID
 * @param value at most {@link #MAX_CHARACTERS} characters
 * @param spProvidedId the partner's identifier of the person, if it set one (SAML Core 3.6.1, NewID)
 * @param since when it was given
 */
public record PersistentNameId(
    String partner, PersonId person, String value, Optional<String> spProvidedId, Instant since) {

  /** The limit of SAML Core 8.3.7; our SPProvidedIDs have the same limit. */
  public static final int MAX_CHARACTERS = 256;
}
