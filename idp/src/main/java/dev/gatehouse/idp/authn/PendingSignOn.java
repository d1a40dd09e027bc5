package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.AuthnWanted;
import java.util.List;
import java.util.Optional;

/**
 * A sign-on that waits for a login, as the login form sees it; only its protocol knows the rest.
 *
 * @param key identifies it in addresses
 * @param browser hash of the {@link BrowserBinding} of the browser to which it belongs
 * @param partner the display name of the app
 * @param wanted the logins that satisfy it
 * @param resume path on this origin that continues it; it decides again by {@link AuthnDecisions}
 * @param cancel path on this origin that ends it, by POST with the login form's token; empty if there is no partner to
 *     inform
 * @param loginHint the user name that the app expects
 * @param uiLocales the app's preferred languages for the pages, the best first
 * @param wantsPassword whether the partner receives the password of the login
 * @param links the links that the app gives for itself
 */
public record PendingSignOn(
    String key,
    String browser,
    String partner,
    AuthnWanted wanted,
    String resume,
    Optional<String> cancel,
    Optional<String> loginHint,
    List<String> uiLocales,
    boolean wantsPassword,
    PartnerLinks links) {

  /** A sign-on of an app that gives neither name nor languages. */
  public PendingSignOn(
      String key, String browser, String partner, AuthnWanted wanted, String resume, Optional<String> cancel) {
    this(key, browser, partner, wanted, resume, cancel, Optional.empty(), List.of(), false, PartnerLinks.NONE);
  }

  /** The request in the languages that the app prefers; unchanged if no sign-on waits. */
  public static RealmRequest spoken(RealmRequest request, Optional<PendingSignOn> sought) {
    return sought.map(waits -> request.speaking(waits.uiLocales())).orElse(request);
  }
}
