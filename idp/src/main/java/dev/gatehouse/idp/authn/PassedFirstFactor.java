package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.PersonId;
import java.util.Optional;

/**
 * A first step that was passed a moment ago and is no session yet: a second one has to follow.
 *
 * @param browser hash of the {@link BrowserBinding} that passed it
 * @param pending the sign-on that waits
 */
public record PassedFirstFactor(
    String realm, PersonId person, AuthnEvent passed, String browser, Optional<String> pending) {}
