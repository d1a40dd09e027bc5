package dev.gatehouse.common.realm;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One OAuth client, as configured or as registered at run time (OpenID Connect Dynamic Client Registration 1.0, section 2;
 * RFC 7591, section 2). It may do only what this value permits.
 *
 * @param clientId unique in the realm
 * @param displayName shown to people; the client ID if absent
 * @param authentication how the client authenticates at the token endpoint
 * @param permissions its grants, scopes and resources
 * @param login the rules for people who log in
 * @param requests requirements on its authorization requests
 * @param tokens properties of its tokens
 * @param keys its public keys, for assertions, request objects, encryption and self-signed certificates
 * @param logout its notification of logouts
 * @param about links shown to people
 */
public record ClientConfig(
    String clientId,
    Optional<String> displayName,
    ClientAuthentication authentication,
    Permissions permissions,
    Login login,
    Requests requests,
    Tokens tokens,
    Optional<Keys> keys,
    Logout logout,
    About about) {

  /**
   * The permissions of a client.
   *
   * @param grants the grants that it may use
   * @param redirectUris compared character by character (RFC 9700, section 2.1); on loopback the port may differ (RFC 8252,
   *     section 7.3)
   * @param scopes the scopes that it may request
   * @param resources audiences that its access tokens may have (RFC 8707), in addition to our own issuer
   * @param passcodes present if it is an agent, which may ask about passcodes
   */
  public record Permissions(
      Set<GrantType> grants, List<String> redirectUris, Set<String> scopes, List<String> resources, Optional<Passcodes> passcodes) {

    /** Creates permissions of a client that is no agent. */
    public Permissions(Set<GrantType> grants, List<String> redirectUris, Set<String> scopes, List<String> resources) {
      this(grants, redirectUris, scopes, resources, Optional.empty());
    }

    public Permissions {
      grants = Set.copyOf(grants);
      redirectUris = List.copyOf(redirectUris);
      scopes = Set.copyOf(scopes);
      resources = List.copyOf(resources);
    }
  }

  /**
   * What an agent may do.
   *
   * @param roles people must have one of these; any person if there are none
   * @param perSecond passcodes that it may ask about in a second at one node
   * @param offlineDays for how many days after a login it may check the person's passcodes without a node; 0 for never
   * @param visitors whether it may ask about people of other realms
   */
  public record Passcodes(Set<String> roles, int perSecond, int offlineDays, boolean visitors) {
    public Passcodes {
      roles = Set.copyOf(roles);
    }

    public Passcodes(Set<String> roles, int perSecond) {
      this(roles, perSecond, 0);
    }

    public Passcodes(Set<String> roles, int perSecond, int offlineDays) {
      this(roles, perSecond, offlineDays, false);
    }
  }

  /**
   * The rules for people who log in at a client.
   *
   * @param subject the kind of {@code sub} that it receives
   * @param consent whether people are asked before their data are released to it
   * @param contract the weakest permitted login contract, by name; any if empty
   */
  public record Login(SubjectType subject, boolean consent, Optional<String> contract) {}

  /** Returns the name that people see. */
  public String name() {
    return displayName.orElse(clientId);
  }

  /** Returns whether it is a public client, without any means of authentication (RFC 6749, section 2.1). */
  public boolean isPublic() {
    return authentication.methods().equals(Set.of(ClientAuthentication.Method.NONE));
  }

  /**
   * Returns whether it must follow the FAPI 2.0 Security Profile. {@code profile: fapi2} turns on pushed requests and sender-constrained
   * tokens. A client with both of them must follow the profile even without that setting.
   */
  public boolean followsFapi2() {
    return requests.pushed() && tokens.binding() != Binding.AS_USED;
  }

  /** Grants of a client, each enabled by name. */
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

    /** Returns the name used in configuration and audit log. */
    public String word() {
      return word;
    }

    /** Returns whether current practice forbids the grant (RFC 9700, sections 2.1.2 and 2.4). */
    public boolean isHistorical() {
      return this == PASSWORD || this == IMPLICIT || this == HYBRID;
    }
  }

  /** The kind of subject identifier that a client receives (OpenID Connect Core 8). */
  public sealed interface SubjectType {
    /** The same identifier for all clients with this type. */
    record Public() implements SubjectType {}

    /**
     * An identifier for each sector.
     *
     * @param sector host of the redirect URIs, or of the sector_identifier_uri
     */
    record Pairwise(String sector) implements SubjectType {}
  }

  /**
   * Requirements on a client's authorization requests.
   *
   * @param pkce whether PKCE is required (RFC 7636); always for public clients
   * @param pushed whether requests must be pushed (RFC 9126)
   * @param signed whether requests must be signed request objects (RFC 9101)
   * @param requestUris addresses from which request objects may be fetched
   * @param requestAlgorithm the only algorithm for its request objects; any that its keys allow if empty
   * @param authenticationAlgorithm the only algorithm for its assertions; any that its keys allow if empty
   * @param defaultMaxAge applies if a request has no max_age
   * @param requireAuthTime whether ID tokens always contain auth_time
   * @param defaultAcrValues apply if a request has none
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
    /** Requires PKCE only. */
    public static final Requests USUAL =
        new Requests(
            true, false, false, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), false, List.of());

    public Requests {
      requestUris = List.copyOf(requestUris);
      defaultAcrValues = List.copyOf(defaultAcrValues);
    }
  }

  /** Supported signature algorithms (RFC 7518, RFC 8037); {@code none} is not among them. */
  public enum JwsName {
    RS256,
    PS256,
    ES256,
    EDDSA("EdDSA"),
    /** Keyed with the client's secret: only for its assertions and request objects. */
    HS256;

    private final String value;

    JwsName() {
      this.value = name();
    }

    JwsName(String value) {
      this.value = value;
    }

    /** Returns the name used in headers and metadata. */
    public String value() {
      return value;
    }
  }

  /**
   * The encryption of a token (RFC 7518, sections 4 and 5).
   *
   * @param algorithm RSA-OAEP-256, ECDH-ES or ECDH-ES+A256KW
   */
  public record Encryption(String algorithm, String method) {}

  /** The format of access tokens. */
  public enum AccessTokenFormat {
    /** RFC 9068. */
    JWT,
    OPAQUE
  }

  /** The sender constraint of tokens. */
  public enum Binding {
    /** Bound if the client uses DPoP or a certificate; otherwise not bound. */
    AS_USED,
    DPOP,
    /** Bound to a key that the client proves with a nonce of ours (RFC 9449, section 8). */
    DPOP_NONCE,
    CERTIFICATE
  }

  /**
   * Properties of a client's tokens.
   *
   * @param accessToken format of access tokens
   * @param accessTokenAlgorithm of JWTs; never HS256
   * @param accessTokenLife the realm's if empty
   * @param refreshTokenLife since the last use; the realm's if empty
   * @param refreshGrace how long a used refresh token yields the same successor again, until that successor is used; 0 to 10 s
   * @param idTokenAlgorithm never HS256
   * @param userInfoAlgorithm UserInfo is signed if present
   * @param binding the sender constraint that all its tokens must have
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

    /** Keys that are fetched when needed, within the limits of {@code outbound.allow}. */
    record JwksUri(URI uri) implements Keys {}
  }

  /**
   * The notification of a client about logouts.
   *
   * @param redirectUris addresses to which RP-initiated logout may return (OpenID Connect RP-Initiated Logout 1.0, section 3)
   * @param frontChannel its page for a frame (OpenID Connect Front-Channel Logout 1.0)
   * @param frontChannelSession whether that page receives issuer and sid
   * @param backChannel its endpoint (OpenID Connect Back-Channel Logout 1.0)
   * @param backChannelSession whether it needs a sid
   */
  public record Logout(
      List<String> redirectUris,
      Optional<URI> frontChannel,
      boolean frontChannelSession,
      Optional<URI> backChannel,
      boolean backChannelSession) {
    /** No notification. */
    public static final Logout NONE = new Logout(List.of(), Optional.empty(), true, Optional.empty(), true);

    public Logout {
      redirectUris = List.copyOf(redirectUris);
    }
  }

  /**
   * Links shown to people.
   *
   * @param initiateLogin the address at which a login begins at the client (OpenID Connect Core 4)
   */
  public record About(
      Optional<URI> home, Optional<URI> logo, Optional<URI> policy, Optional<URI> terms, Optional<URI> initiateLogin,
      List<String> contacts) {
    /** No links. */
    public static final About NOTHING =
        new About(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    public About {
      contacts = List.copyOf(contacts);
    }
  }
}
