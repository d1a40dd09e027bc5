package dev.gatehouse.common.saml.message;

import java.util.Optional;

/**
 * An ArtifactResponse whose signature was verified, and the message in it, which that signature covers. If the message has its own
 * signature, that was verified too. Both have the same Issuer.
 *
 * @param message empty if the artifact does not refer to anything (any more)
 */
public record ReceivedArtifactResponse(SamlMessage.ArtifactResponse response, Optional<SamlMessage> message) {}
