package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;

/**
 * A link from an identity provider's person to a local account.
 *
 * @param identityProvider its entity ID
 * @param nameId the value of the persistent NameID, at most {@link PersistentNameId#MAX_CHARACTERS} characters
 * @param account the local account: the person's id in the realm's directory, or the account's name if the realm has none
 * @param spProvidedId our identifier of the person that we gave to the identity provider (SAML Core 3.6.1)
 * @param since when they were linked
 */
public record AccountLink(
    String identityProvider, String nameId, PersonId account, Optional<String> spProvidedId, Instant since) {}
