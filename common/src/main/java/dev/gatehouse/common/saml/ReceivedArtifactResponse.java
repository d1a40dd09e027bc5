package dev.gatehouse.common.saml;

import java.util.Optional;

/**
 * An ArtifactResponse whose signature was verified, and the message in it, which that signature covers; if the message
 * has a signature of its own, that was verified too. Both have the same Issuer.
 *
 * @param message empty where the artifact stands for nothing (any more)
 */
public record ReceivedArtifactResponse(SamlMessage.ArtifactResponse response, Optional<SamlMessage> message) {}
