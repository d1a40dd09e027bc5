package dev.gatehouse.idp.session;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The strength of a login, from weak to strong, and its AuthnContextClassRefs (SAML Authentication Context 3.4). The
 * first one is asserted if the request does not name another.
 */
public enum AuthnLevel {
  UNSPECIFIED(AuthnContexts.UNSPECIFIED),
  PASSWORD(AuthnContexts.PASSWORD),
  PROTECTED_PASSWORD(AuthnContexts.PASSWORD_PROTECTED_TRANSPORT),
  CERTIFICATE(AuthnContexts.TLS_CLIENT, AuthnContexts.X509),
  /** A token with a PIN, which earns {@link #SECOND_FACTOR} too: partners know the classes of that. */
  TOKEN(AuthnContexts.TOKEN),
  SECOND_FACTOR(AuthnContexts.TIME_SYNC_TOKEN, AuthnContexts.REFEDS_MFA),
  /** A passkey for whose use its device verified the person, or one together with a password. */
  PASSKEY(AuthnContexts.PHISHING_RESISTANT, AuthnContexts.REFEDS_MFA);

  private final List<String> classRefs;

  AuthnLevel(String... classRefs) {
    this.classRefs = List.of(classRefs);
  }

  public List<String> classRefs() {
    return classRefs;
  }

  public boolean reaches(AuthnLevel other) {
    return compareTo(other) >= 0;
  }

  /** The lowest level that has the class; empty for a class that we cannot rank. */
  public static Optional<AuthnLevel> of(String classRef) {
    return Arrays.stream(values()).filter(level -> level.classRefs.contains(classRef)).findFirst();
  }
}
