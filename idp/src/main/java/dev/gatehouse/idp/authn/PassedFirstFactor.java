package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.session.AuthnEvent;
import java.util.Optional;

/**
 * A first step that was just passed. There is no session yet, because a second step must follow.
 *
 * @param browser hash of the {@link BrowserBinding} in which it was passed
 * @param pending the waiting sign-on
 */
public record PassedFirstFactor(
    String realm, PersonId person, AuthnEvent passed, String browser, Optional<String> pending) {}
