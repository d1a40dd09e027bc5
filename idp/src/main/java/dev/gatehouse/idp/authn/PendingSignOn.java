package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.List;
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
 * @param loginHint what the app believes that the person will type as user name
 * @param uiLocales languages that the app would like the pages in, the best first
 * @param wantsPassword whether the partner gets the password of the login
 * @param links what the app says of itself
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

  /** Of an app that says nothing about name and language. */
  public PendingSignOn(
      String key, String browser, String partner, AuthnWanted wanted, String resume, Optional<String> cancel) {
    this(key, browser, partner, wanted, resume, cancel, Optional.empty(), List.of(), false, PartnerLinks.NONE);
  }

  /** Of an OAuth client, which gets no password. */
  public PendingSignOn(
      String key,
      String browser,
      String partner,
      AuthnWanted wanted,
      String resume,
      Optional<String> cancel,
      Optional<String> loginHint,
      List<String> uiLocales,
      PartnerLinks links) {
    this(key, browser, partner, wanted, resume, cancel, loginHint, uiLocales, false, links);
  }

  /** The request in the languages that the app would like; as it is where nothing waits. */
  static RealmRequest spoken(RealmRequest request, Optional<PendingSignOn> sought) {
    return sought.map(waits -> request.speaking(waits.uiLocales())).orElse(request);
  }
}
