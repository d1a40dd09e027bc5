package dev.gatehouse.common.realm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The strength of a login, by the names in configurations: each stands for AuthnContextClassRefs, its own first. */
public enum NamedContract {
  /** A passkey that the person's device verified. */
  PASSKEY("http://schemas.openid.net/pape/policies/2007/06/phishing-resistant"),
  /** A token with a PIN. */
  TOKEN("https://gatehouse.dev/ac/token"),
  /** A second factor, or one of the two above. */
  MFA("urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken", "https://refeds.org/profile/mfa"),
  /** A client certificate. */
  CERTIFICATE("urn:oasis:names:tc:SAML:2.0:ac:classes:TLSClient", "urn:oasis:names:tc:SAML:2.0:ac:classes:X509"),
  /** A password, or something stronger. */
  PASSWORD(
      "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport",
      "urn:oasis:names:tc:SAML:2.0:ac:classes:Password");

  private final List<String> own;

  NamedContract(String... own) {
    this.own = List.of(own);
  }

  /** Returns the classes that satisfy the contract. */
  public List<String> classRefs() {
    List<String> refs = new ArrayList<>(own);
    if (this == MFA) {
      Stream.of(PASSKEY, TOKEN).forEach(stronger -> refs.addAll(stronger.own));
    }
    if (this == PASSWORD) {
      Stream.of(CERTIFICATE, MFA, PASSKEY, TOKEN).forEach(stronger -> refs.addAll(stronger.own));
    }
    return List.copyOf(refs);
  }
}
