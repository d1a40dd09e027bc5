package dev.gatehouse.sp.check;

import java.time.Instant;
import java.util.Optional;

/**
 * What a verified answer says of the login, as far as a request may ask for it.
 *
 * @param identityProvider whose keys verified it
 */
public record AuthenticationResult(
    String identityProvider, Optional<String> authnContextClassRef, Optional<Instant> authnInstant) {}
