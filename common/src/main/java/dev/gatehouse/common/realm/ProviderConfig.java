package dev.gatehouse.common.realm;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An OpenID provider: our sp can send people there, and routes can accept its access tokens.
 *
 * @param issuer exactly as in its discovery document (OpenID Connect Discovery 1.0, section 3)
 * @param displayName shown to people who choose; the issuer if absent
 * @param client our registration as its client; empty if only its JWTs are verified
 * @param scopes that we request, {@code openid} first
 * @param claims names of the claims that identify a person
 * @param userInfo whether claims are fetched from its UserInfo endpoint too (OpenID Connect Core 5.3)
 * @param accept claim name to the accepted values, {@code *} for any run of characters; {@code authnContext} stands for {@code
 *     acr}
 */
public record ProviderConfig(
    String issuer,
    Optional<String> displayName,
    Optional<Client> client,
    List<String> scopes,
    SubjectClaims claims,
    boolean userInfo,
    Map<String, List<String>> accept) {

  /** The scope without which there is no ID token. */
  public static final String OPENID = "openid";

  public ProviderConfig {
    scopes = List.copyOf(scopes);
    accept = Map.copyOf(accept);
  }

  /** Creates a provider whose claims are not filtered. */
  public ProviderConfig(
      String issuer,
      Optional<String> displayName,
      Optional<Client> client,
      List<String> scopes,
      SubjectClaims claims,
      boolean userInfo) {
    this(issuer, displayName, client, scopes, claims, userInfo, Map.of());
  }

  /** Returns the name that people see. */
  public String name() {
    return displayName.orElse(issuer);
  }

  /**
   * Our registration as its client.
   *
   * @param alias the last part of a redirect URI that no other provider of the realm has (RFC 9700, section 4.4.2.2); empty if it has
   *     the redirect URI of all providers without an alias
   */
  public record Client(String clientId, Proof proof, Optional<String> alias) {

    /** Creates a registration without a redirect URI of its own. */
    public Client(String clientId, Proof proof) {
      this(clientId, proof, Optional.empty());
    }
  }

  /** Returns the alias of our registration, if it has one. */
  public Optional<String> alias() {
    return client.flatMap(Client::alias);
  }

  /** Our authentication as its client (OpenID Connect Core 9). */
  public sealed interface Proof {
    /** {@code client_secret_basic}. */
    record SecretBasic(Secret secret) implements Proof {}

    /** {@code client_secret_post}. */
    record SecretPost(Secret secret) implements Proof {}

    /** {@code private_key_jwt}, with the sp's signing key, published at {@code /.gatehouse/oidc/jwks}. */
    record PrivateKeyJwt() implements Proof {}
  }

  /**
   * Names of claims.
   *
   * @param user its only value is the user name; {@code sub} by default, the only claim that stays unique to a person (OpenID
   *     Connect Core 5.7)
   * @param roles its values are the roles, {@code roles} by default
   * @param groups its values are the groups, {@code groups} by default
   */
  public record SubjectClaims(String user, String roles, String groups) {
    /** The defaults for the realm's own idp, whose user names are those of our directory. */
    public static final SubjectClaims OF_OWN_IDP = new SubjectClaims("preferred_username", "roles", "groups");

    /** The defaults for other providers. */
    public static final SubjectClaims USUAL = new SubjectClaims("sub", "roles", "groups");
  }
}
