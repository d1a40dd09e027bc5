package dev.gatehouse.common.saml.message;

import java.util.Optional;

/**
 * An artifact that a browser brought (SAML Bindings 3.6.3); nothing in it is signed.
 *
 * @param relayState as sent
 */
public record ReceivedArtifact(Artifact artifact, Optional<String> relayState) {}
