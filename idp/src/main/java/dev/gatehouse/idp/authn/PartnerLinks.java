package dev.gatehouse.idp.authn;

import dev.gatehouse.common.realm.ClientConfig.About;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/**
 * The links of an app for the pages on which people decide about it (OpenID Connect Dynamic Client Registration 1.0,
 * section 2: {@code logo_uri}, {@code policy_uri}, {@code tos_uri}, {@code client_uri}).
 *
 * @param logo address at our own origin: one elsewhere would tell its server who is about to log in
 */
public record PartnerLinks(
    Optional<String> logo, Optional<String> policy, Optional<String> terms, Optional<String> home) {

  /** The links of an app that gives none. */
  public static final PartnerLinks NONE =
      new PartnerLinks(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * The links of an OAuth client.
   *
   * @param logo as in the record
   */
  public static PartnerLinks of(About about, Optional<String> logo) {
    return new PartnerLinks(
        logo, about.policy().map(URI::toString), about.terms().map(URI::toString), about.home().map(URI::toString));
  }

  /** Adds the links to a template's model. */
  public void into(Map<String, Object> model) {
    model.put("logo", logo);
    model.put("privacy", policy);
    model.put("terms", terms);
    model.put("information", home);
  }
}
