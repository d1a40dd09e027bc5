package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.certificate.AlternativeNames;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.realm.ClientAuthentication.CertificateName;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * Authenticates clients by TLS (RFC 8705, section 2): by a certificate from one of the realm's authorities with the
 * registered name, or by a self-signed certificate with a registered key.
 */
public final class CertificateProofs {

  private final ClientKeys keys;
  private final InstantSource clock;

  public CertificateProofs(ClientKeys keys, InstantSource clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /** {@code x5t#S256}: SHA-256 of the DER form, in base64url (RFC 8705, section 3.1). */
  public static String thumbprint(X509Certificate certificate) {
    try {
      return Sha256.base64Url(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  Result<X509Certificate, OAuthError> check(RealmRequest request, Client client, Method method) {
    List<X509Certificate> chain = request.certificates();
    if (chain.isEmpty()) {
      return refused("the client came without its certificate");
    }
    return method == Method.SELF_SIGNED_TLS ? selfSigned(client, chain.getFirst()) : issued(request, client, chain);
  }

  /** Chain and dates do not matter: only the key was registered (RFC 8705, section 2.2). */
  private Result<X509Certificate, OAuthError> selfSigned(Client client, X509Certificate certificate) {
    return keys.isRegistered(client, certificate)
        ? Result.accepted(certificate)
        : refused(
            keys.problem(client)
                .map(problem -> "the certificate cannot be checked: " + problem)
                .orElse("the certificate's key is not among the client's"));
  }

  private Result<X509Certificate, OAuthError> issued(RealmRequest request, Client client, List<X509Certificate> chain) {
    if (!CertificatePaths.leadsTo(request.idp().oauth().certificateAuthorities(), chain, clock.instant())) {
      return refused("no authority of ours issued the certificate, or it is not valid now");
    }
    return client
            .config()
            .authentication()
            .certificate()
            .filter(name -> isNamed(chain.getFirst(), name))
            .isPresent()
        ? Result.accepted(chain.getFirst())
        : refused("the certificate has another name than the client's");
  }

  private static boolean isNamed(X509Certificate certificate, CertificateName name) {
    return switch (name.field()) {
      case SUBJECT_DN -> isSubject(certificate, name.value());
      case SAN_DNS -> has(certificate, 2, name.value(), true);
      case SAN_URI -> has(certificate, 6, name.value(), false);
      case SAN_IP -> has(certificate, 7, name.value(), true);
      case SAN_EMAIL -> has(certificate, 1, name.value(), false);
    };
  }

  /** Compares as names, not as texts (RFC 4514 allows several spellings of one name). */
  private static boolean isSubject(X509Certificate certificate, String registered) {
    try {
      return new X500Principal(registered).equals(certificate.getSubjectX500Principal());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** @param type of GeneralName (RFC 5280, section 4.2.1.6) */
  private static boolean has(X509Certificate certificate, int type, String value, boolean anyCase) {
    return AlternativeNames.of(certificate, type).stream()
        .anyMatch(found -> anyCase ? found.equalsIgnoreCase(value) : found.equals(value));
  }

  private static Result<X509Certificate, OAuthError> refused(String why) {
    return OAuthError.refused(Code.INVALID_CLIENT, why);
  }
}
