package dev.gatehouse.common.realm;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The authentication of an OAuth client (OpenID Connect Core 9, RFC 8705).
 *
 * @param methods never empty; {@link Method#NONE} only alone
 * @param secret present if a method needs one
 * @param certificate the name in its certificate, present with {@link Method#TLS}
 */
public record ClientAuthentication(
    Set<Method> methods, Optional<ClientSecret> secret, Optional<CertificateName> certificate) {

  /** A public client. */
  public static final ClientAuthentication NONE =
      new ClientAuthentication(Set.of(Method.NONE), Optional.empty(), Optional.empty());

  public ClientAuthentication {
    methods = Set.copyOf(methods);
  }

  /** Methods of a client, each with its name in metadata. */
  public enum Method {
    NONE("none"),
    SECRET_BASIC("client_secret_basic"),
    SECRET_POST("client_secret_post"),
    SECRET_JWT("client_secret_jwt"),
    PRIVATE_KEY_JWT("private_key_jwt"),
    TLS("tls_client_auth"),
    SELF_SIGNED_TLS("self_signed_tls_client_auth");

    private final String value;

    Method(String value) {
      this.value = value;
    }

    /** Returns the value used in metadata. */
    public String value() {
      return value;
    }

    public boolean needsSecret() {
      return this == SECRET_BASIC || this == SECRET_POST || this == SECRET_JWT;
    }
  }

  /** A client's secret. */
  public sealed interface ClientSecret {
    /** A secret from the configuration. */
    record Configured(Secret value) implements ClientSecret {}

    /**
     * The secret of a registered client, stored sealed (see {@code SealingKey}).
     *
     * @param sealed base64
     * @param expiresAt when it expires; never if empty
     */
    record Kept(String sealed, Optional<Instant> expiresAt) implements ClientSecret {
      @Override
      public String toString() {
        return "***";
      }
    }
  }

  /** The one name that identifies a certificate as the client's (RFC 8705, section 2.1.2). */
  public record CertificateName(Field field, String value) {
    /** The field of the certificate that contains the name. */
    public enum Field {
      SUBJECT_DN("tls_client_auth_subject_dn"),
      SAN_DNS("tls_client_auth_san_dns"),
      SAN_URI("tls_client_auth_san_uri"),
      SAN_IP("tls_client_auth_san_ip"),
      SAN_EMAIL("tls_client_auth_san_email");

      private final String value;

      Field(String value) {
        this.value = value;
      }

      /** Returns the name used in metadata. */
      public String value() {
        return value;
      }
    }
  }
}
