package dev.gatehouse.sp.check;

import java.time.Instant;
import java.util.Optional;

/**
 * The facts of a verified answer about the login that a request may make demands on.
 *
 * @param identityProvider the identity provider whose keys verified the answer
 */
public record AuthenticationResult(
    String identityProvider, Optional<String> authnContextClassRef, Optional<Instant> authnInstant) {}
