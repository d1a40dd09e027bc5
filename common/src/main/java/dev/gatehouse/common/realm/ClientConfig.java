package dev.gatehouse.common.realm;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One OAuth client, as configured or as registered at run time (OpenID Connect Dynamic Client Registration 1.0, section 2;
 * RFC 7591, section 2). What is not written here it may not do.
 *
 * @param clientId unique in the realm
 * @param displayName shown to people; the client ID where absent
 * @param authentication how it proves at the token endpoint that it is itself
 * @param grants what it may use
 * @param redirectUris compared character by character (RFC 9700, section 2.1); on loopback the port may differ (RFC 8252,
 *     section 7.3)
 * @param scopes that it may ask for
 * @param resources audiences that its access tokens may be for (RFC 8707), besides our own issuer
 * @param subject which {@code sub} it is told
 * @param consent whether people are asked before it is told anything
 * @param contract the least login contract, by name; any where empty
 * @param requests what its authorization requests must be like
 * @param tokens what its tokens are like
 * @param keys its public keys, for assertions, request objects, encryption and self-signed certificates
 * @param logout what it hears when a person logs out
 * @param about links shown to people
 */
public record ClientConfig(
    String clientId,
    Optional<String> displayName,
    ClientAuthentication authentication,
    Set<GrantType> grants,
    List<String> redirectUris,
    Set<String> scopes,
    List<String> resources,
    SubjectType subject,
    boolean consent,
    Optional<String> contract,
    Requests requests,
    Tokens tokens,
    Optional<Keys> keys,
    Logout logout,
    About about) {

  public ClientConfig {
    grants = Set.copyOf(grants);
    redirectUris = List.copyOf(redirectUris);
    scopes = Set.copyOf(scopes);
    resources = List.copyOf(resources);
  }

  /** What people see. */
  public String name() {
    return displayName.orElse(clientId);
  }

  /** Whether it has no way to prove who it is (RFC 6749, section 2.1). */
  public boolean isPublic() {
    return authentication.methods().equals(Set.of(Method.NONE));
  }

  /**
   * Whether it is held to the FAPI 2.0 Security Profile. {@code profile: fapi2} turns on pushed requests and bound tokens; a client
   * that has, or registers for, both is held to it without that word.
   */
  public boolean followsFapi2() {
    return requests.pushed() && tokens.binding() != Binding.AS_USED;
  }

  /** How a client authenticates (OpenID Connect Core 9, RFC 8705). */
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

    /** As in metadata. */
    public String value() {
      return value;
    }

    public boolean needsSecret() {
      return this == SECRET_BASIC || this == SECRET_POST || this == SECRET_JWT;
    }
  }

  /**
   * How it proves that it is itself.
   *
   * @param methods never empty; {@link Method#NONE} stands alone
   * @param secret present where a method needs one
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
  }

  /** A client's secret. */
  public sealed interface ClientSecret {
    /** From the configuration. */
    record Configured(Secret value) implements ClientSecret {}

    /**
     * Of a registered client: kept sealed, see {@code SealingKey}.
     *
     * @param sealed base64
     * @param expiresAt when it ends; never where empty
     */
    record Kept(String sealed, Optional<java.time.Instant> expiresAt) implements ClientSecret {
      @Override
      public String toString() {
        return "***";
      }
    }
  }

  /** The one name by which a certificate is the client's (RFC 8705, section 2.1.2). */
  public record CertificateName(Field field, String value) {
    /** Where the name stands. */
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

      /** As in metadata. */
      public String value() {
        return value;
      }
    }
  }

  /** What a client may use, each turned on by name. */
  public enum GrantType {
    CODE("code"),
    REFRESH("refresh"),
    CLIENT_CREDENTIALS("clientCredentials"),
    DEVICE("device"),
    /** Resource owner password (RFC 6749, section 4.3): historical. */
    PASSWORD("password"),
    /** response_type token, id_token, or both: historical. */
    IMPLICIT("implicit"),
    /** response_type code with token, id_token, or both: historical. */
    HYBRID("hybrid");

    private final String word;

    GrantType(String word) {
      this.word = word;
    }

    /** As in configuration and audit log. */
    public String word() {
      return word;
    }

    /** Whether current practice forbids it (RFC 9700, sections 2.1.2 and 2.4). */
    public boolean isHistorical() {
      return this == PASSWORD || this == IMPLICIT || this == HYBRID;
    }
  }

  /** Which subject identifier it gets (OpenID Connect Core 8). */
  public sealed interface SubjectType {
    /** The same as all others with this type. */
    record Public() implements SubjectType {}

    /**
     * Its sector's own.
     *
     * @param sector host of the redirect URIs, or of the sector_identifier_uri
     */
    record Pairwise(String sector) implements SubjectType {}
  }

  /**
   * What its authorization requests must be like.
   *
   * @param pkce whether PKCE is required (RFC 7636); always for public clients
   * @param pushed whether they must be pushed (RFC 9126)
   * @param signed whether they must come in a signed request object (RFC 9101)
   * @param requestUris addresses from which request objects may be fetched
   * @param requestAlgorithm the only one for its request objects; any that its keys allow where empty
   * @param authenticationAlgorithm the only one for its assertions; likewise
   * @param defaultMaxAge in force where a request has no max_age
   * @param requireAuthTime whether ID tokens carry auth_time unasked
   * @param defaultAcrValues in force where a request has none
   */
  public record Requests(
      boolean pkce,
      boolean pushed,
      boolean signed,
      List<URI> requestUris,
      Optional<JwsName> requestAlgorithm,
      Optional<JwsName> authenticationAlgorithm,
      Optional<Duration> defaultMaxAge,
      boolean requireAuthTime,
      List<String> defaultAcrValues) {
    /** PKCE, and nothing else in particular. */
    public static final Requests USUAL =
        new Requests(
            true, false, false, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), false, List.of());

    public Requests {
      requestUris = List.copyOf(requestUris);
      defaultAcrValues = List.copyOf(defaultAcrValues);
    }
  }

  /** Signature algorithms that there are (RFC 7518, RFC 8037); {@code none} cannot be written. */
  public enum JwsName {
    RS256,
    PS256,
    ES256,
    EDDSA("EdDSA"),
    /** With the client's secret: for its assertions and request objects only. */
    HS256;

    private final String value;

    JwsName() {
      this.value = name();
    }

    JwsName(String value) {
      this.value = value;
    }

    /** As in headers and metadata. */
    public String value() {
      return value;
    }
  }

  /** How an encrypted token is made (RFC 7518, sections 4 and 5). @param algorithm RSA-OAEP-256, ECDH-ES or ECDH-ES+A256KW */
  public record Encryption(String algorithm, String method) {}

  /** What access tokens look like. */
  public enum AccessTokenFormat {
    /** RFC 9068. */
    JWT,
    OPAQUE
  }

  /** What tokens are bound to. */
  public enum Binding {
    /** To whom the client binds them by using DPoP or a certificate; else to nobody. */
    AS_USED,
    DPOP,
    /** To keys that are proved with nonces of ours (RFC 9449, section 8). */
    DPOP_NONCE,
    CERTIFICATE
  }

  /**
   * What its tokens are like.
   *
   * @param accessToken of access tokens
   * @param accessTokenAlgorithm of JWTs; never HS256
   * @param accessTokenLife the realm's where empty
   * @param refreshTokenLife from the last use; the realm's where empty
   * @param refreshGrace how long a refresh token that was used gives the same successor again, until that one is used; 0 to 10 s
   * @param idTokenAlgorithm never HS256
   * @param userInfoAlgorithm signed where present
   * @param binding what every token of its must be bound to
   */
  public record Tokens(
      AccessTokenFormat accessToken,
      JwsName accessTokenAlgorithm,
      Optional<Duration> accessTokenLife,
      Optional<Duration> refreshTokenLife,
      Duration refreshGrace,
      JwsName idTokenAlgorithm,
      Optional<Encryption> idTokenEncryption,
      Optional<JwsName> userInfoAlgorithm,
      Optional<Encryption> userInfoEncryption,
      Binding binding) {
    /** JWTs by RS256. */
    public static final Tokens USUAL =
        new Tokens(
            AccessTokenFormat.JWT,
            JwsName.RS256,
            Optional.empty(),
            Optional.empty(),
            Duration.ZERO,
            JwsName.RS256,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Binding.AS_USED);
  }

  /** A client's public keys. */
  public sealed interface Keys {
    /** @param json a JWK Set (RFC 7517, section 5) without private parts */
    record Jwks(String json) implements Keys {}

    /** Fetched when needed, within what {@code outbound.allow} permits. */
    record JwksUri(URI uri) implements Keys {}
  }

  /**
   * What it hears when a person logs out.
   *
   * @param redirectUris where RP-initiated logout may lead back (OpenID Connect RP-Initiated Logout 1.0, section 3)
   * @param frontChannel its page for a frame (OpenID Connect Front-Channel Logout 1.0)
   * @param frontChannelSession whether that page is told issuer and sid
   * @param backChannel its endpoint (OpenID Connect Back-Channel Logout 1.0)
   * @param backChannelSession whether it needs a sid
   */
  public record Logout(
      List<String> redirectUris,
      Optional<URI> frontChannel,
      boolean frontChannelSession,
      Optional<URI> backChannel,
      boolean backChannelSession) {
    /** Nothing. */
    public static final Logout NONE = new Logout(List.of(), Optional.empty(), true, Optional.empty(), true);

    public Logout {
      redirectUris = List.copyOf(redirectUris);
    }
  }

  /**
   * For people.
   *
   * @param initiateLogin where a login begins at the client (OpenID Connect Core 4)
   */
  public record About(
      Optional<URI> home, Optional<URI> logo, Optional<URI> policy, Optional<URI> terms, Optional<URI> initiateLogin,
      List<String> contacts) {
    /** Nothing. */
    public static final About NOTHING =
        new About(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public About {
      contacts = List.copyOf(contacts);
    }
  }
}
