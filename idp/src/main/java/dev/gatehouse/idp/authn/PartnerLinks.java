package dev.gatehouse.idp.authn;

import dev.gatehouse.common.realm.ClientConfig.About;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * What an app says of itself where people decide about it (OpenID Connect Dynamic Client Registration 1.0, section 2:
 * {@code logo_uri}, {@code policy_uri}, {@code tos_uri}, {@code client_uri}).
 *
 * @param logo address at our own origin: one elsewhere would tell its server who is about to log in
 */
public record PartnerLinks(
    Optional<String> logo, Optional<String> policy, Optional<String> terms, Optional<String> home) {

  /** Of one that says nothing. */
  public static final PartnerLinks NONE =
      new PartnerLinks(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** Of an OAuth client. @param logo as in the record */
  public static PartnerLinks of(About about, Optional<String> logo) {
    return new PartnerLinks(
        logo, about.policy().map(URI::toString), about.terms().map(URI::toString), about.home().map(URI::toString));
  }

  /** For a template. */
  public void into(Map<String, Object> model) {
    model.put("logo", logo);
    model.put("privacy", policy);
    model.put("terms", terms);
    model.put("information", home);
  }
}
