package dev.gatehouse.idp.authn;

import java.time.Instant;

/**
 * A sign-on that waits for a login, as the login form sees it; what it is about only its protocol knows.
 *
 * @param key names it in addresses
 * @param browser hash of the {@link BrowserBinding} of the browser that it belongs to
 * @param partner what people call the app that asked
 * @param fresh whether an older session does not answer it (ForceAuthn, a stronger AuthnContext)
 * @param resume path on this origin that goes on with it
 */
public record WaitingSignOn(
    String key, String browser, String partner, boolean fresh, Instant since, String resume) {

  public boolean isAnsweredBy(IdpSession session) {
    return !fresh || !session.authn().at().isBefore(since);
  }
}
