package dev.gatehouse.common.realm;

import java.net.URI;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The ways to log in at the idp in addition to the form, which is always available.
 *
 * @param basic whether HTTP Basic is accepted; off by default
 * @param secondFactor whether a one-time password is required after a password
 * @param totp settings for authenticator apps
 * @param certificate login by client certificate; off if absent
 * @param passwordReset new passwords by a link in a mail; off if absent
 * @param passkeys login by passkey; off if absent
 * @param token login by the passcode of a token; off if absent
 */
public record ContractsConfig(
    boolean basic,
    SecondFactor secondFactor,
    Totp totp,
    Optional<CertificateLogin> certificate,
    Optional<PasswordReset> passwordReset,
    Optional<Passkeys> passkeys,
    Optional<TokenLogin> token) {

  /** Creates settings without passkeys and tokens. */
  public ContractsConfig(
      boolean basic, SecondFactor secondFactor, Totp totp, Optional<CertificateLogin> certificate, Optional<PasswordReset> passwordReset) {
    this(basic, secondFactor, totp, certificate, passwordReset, Optional.empty(), Optional.empty());
  }

  /** Creates settings without new passwords by mail. */
  public ContractsConfig(boolean basic, SecondFactor secondFactor, Totp totp, Optional<CertificateLogin> certificate) {
    this(basic, secondFactor, totp, certificate, Optional.empty());
  }

  /** The form only; people may set up a second factor. */
  public static final ContractsConfig FORM_ALONE =
      new ContractsConfig(false, SecondFactor.OPTIONAL, new Totp(Optional.empty(), 6), Optional.empty());

  /** Decides which people need a second factor. */
  public enum SecondFactor {
    /** No one-time passwords. */
    OFF,
    /** A person with a second factor needs it at each login by password; others set one up if a partner requires it. */
    OPTIONAL,
    /** Every person needs one at each login by password and sets it up at the first. */
    REQUIRED
  }

  /**
   * Time-based one-time passwords (RFC 6238).
   *
   * @param issuer the name that authenticator apps show beside the code; the realm's displayName if absent
   * @param digits 6 or 8
   */
  public record Totp(Optional<String> issuer, int digits) {}

  /**
   * Login by client certificate, on the node's listener for it.
   *
   * @param publicUrl origin of that listener, as browsers reach it; never the idp's own
   * @param authorities certificate authorities that are accepted
   * @param field the field of the certificate that identifies the person
   * @param attribute of the directory; exactly one person must have the field's value
   * @param revoked revocation lists, none out of date, of every authority between a certificate and {@code authorities}; not
   *     checked if there is none
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

  /**
   * New passwords by a link in a mail, for people who forgot theirs.
   *
   * @param life how long a link can be used
   */
  public record PasswordReset(Duration life) {}

  /**
   * Login by passkey (WebAuthn Level 3).
   *
   * @param rpId the domain for which passkeys are made: the host of the public address, or a domain above it; it cannot change later,
   *     because passkeys of another one are of no use
   * @param offer whether people without one are offered one after a login by password, until they answer
   * @param relatedOrigins further origins at which the passkeys count (WebAuthn, section 5.11)
   * @param models the models of authenticators that may be enrolled, proved by attestation; every one, unproved, if empty
   */
  public record Passkeys(String rpId, boolean offer, List<URI> relatedOrigins, List<AuthenticatorModel> models) {
    public Passkeys {
      relatedOrigins = List.copyOf(relatedOrigins);
      models = List.copyOf(models);
    }

    /** Creates settings that take every model. */
    public Passkeys(String rpId, boolean offer, List<URI> relatedOrigins) {
      this(rpId, offer, relatedOrigins, List.of());
    }

    /** Creates the default settings. */
    public Passkeys(String rpId) {
      this(rpId, true, List.of());
    }
  }

  /**
   * A model of authenticators (FIDO Metadata Statement v3).
   *
   * @param aaguid its identifier
   * @param roots that certify it
   */
  public record AuthenticatorModel(UUID aaguid, List<X509Certificate> roots) {
    public AuthenticatorModel {
      roots = List.copyOf(roots);
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
