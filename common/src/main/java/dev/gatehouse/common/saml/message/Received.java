package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.saml.Binding;
import java.util.Optional;

/**
 * A message received over a binding: parsed once, its signature (if any) verified against the partner's metadata.
 *
 * @param signed whether a signature over this very message (or over the raw query) was verified
 * @param relayState as sent; the binding permits 80 bytes, up to 1 KB are tolerated
 */
public record Received<M extends SamlMessage>(
    M message, Binding binding, boolean signed, Optional<String> relayState) {}
