package dev.gatehouse.idp.authn;

import java.util.Optional;

/**
 * A sign-on that waits for a login, as the login form sees it; what it is about only its protocol knows.
 *
 * @param key names it in addresses
 * @param browser hash of the {@link BrowserBinding} of the browser that it belongs to
 * @param partner what people call the app that asked
 * @param wanted which logins answer it
 * @param resume path on this origin that goes on with it; it decides again by {@link AuthnDecisions}
 * @param cancel path on this origin that ends it, by POST with the login form's token; empty where there is nobody to tell
 */
public record WaitingSignOn(
    String key, String browser, String partner, AuthnWanted wanted, String resume, Optional<String> cancel) {}
