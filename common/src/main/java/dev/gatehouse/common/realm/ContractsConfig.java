package dev.gatehouse.common.realm;

import java.net.URI;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * The ways to log in at the idp beside the form, which is always there.
 *
 * @param basic whether HTTP Basic answers; off by default
 * @param secondFactor whether a one-time password is asked for after a password
 * @param totp what authenticator apps are told
 * @param certificate login by client certificate; off where absent
 */
public record ContractsConfig(
    boolean basic, SecondFactor secondFactor, Totp totp, Optional<CertificateLogin> certificate) {

  /** The form alone; who wants a second factor may have one. */
  public static final ContractsConfig FORM_ALONE =
      new ContractsConfig(false, SecondFactor.OPTIONAL, new Totp(Optional.empty(), 6), Optional.empty());

  /** Who needs a second factor. */
  public enum SecondFactor {
    /** Nobody is asked for one. */
    OFF,
    /** Who has one is asked for it at each login by password; who has none sets one up where a partner wants it. */
    OPTIONAL,
    /** Everybody, at each login by password; set up at the first. */
    REQUIRED
  }

  /**
   * One-time passwords by time (RFC 6238).
   *
   * @param issuer what apps show beside the code; the realm's displayName where absent
   * @param digits 6 or 8
   */
  public record Totp(Optional<String> issuer, int digits) {}

  /**
   * Login by client certificate, on the node's listener for that.
   *
   * @param publicUrl origin of that listener, as browsers reach it; never the idp's own
   * @param authorities whose certificates count
   * @param field of the certificate that says whose it is
   * @param attribute of the directory in which exactly one person has that value
   * @param revoked lists of revoked certificates, none out of date, of every authority between a certificate and those above;
   *     not asked where there is none
   */
  public record CertificateLogin(
      URI publicUrl,
      List<X509Certificate> authorities,
      CertificateField field,
      String attribute,
      List<X509CRL> revoked) {
    public CertificateLogin {
      authorities = List.copyOf(authorities);
      revoked = List.copyOf(revoked);
    }
  }

  /** Fields of a certificate that can name a person (RFC 5280). */
  public enum CertificateField {
    /** The one common name in the subject. */
    SUBJECT_CN,
    /** The whole subject as a string (RFC 4514). */
    SUBJECT_DN,
    /** The one rfc822Name among the subject's alternative names. */
    SAN_MAIL,
    /** The one user principal name (Microsoft's otherName) among them. */
    SAN_UPN
  }
}
