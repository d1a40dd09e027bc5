package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.jose.PublicKeys;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.About;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.ClientConfig.Logout;
import dev.gatehouse.common.realm.ClientUris;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.StandardScopes;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The metadata that a client registers about itself (RFC 7591, section 2; OpenID Connect Dynamic Client Registration
 * 1.0, section 2; RFC 8705; RFC 9126; RFC 9449), checked, and completed with the defaults of those specifications.
 * People are always asked for consent before such a client receives data.
 *
 * @param metadata as registered, for the answer and the database
 * @param method its only authentication method
 */
record ClientMetadata(
    Map<String, Object> metadata,
    Method method,
    List<String> redirectUris,
    SubjectMetadata subject,
    Function<Identity, ClientConfig> make) {

  /** The values that we assign. */
  record Identity(String clientId, Optional<ClientSecret> secret) {}

  private static final int MAX_REDIRECT_URIS = 50;

  /**
   * @param trusted whether the registration uses an administrator's token: only then may the client have scopes of our
   *     own
   */
  static Result<ClientMetadata, OAuthError> read(Map<String, Object> sent, OAuthConfig oauth, boolean trusted) {
    MetadataReader in = new MetadataReader(sent);
    AuthenticationMetadata authentication = AuthenticationMetadata.read(in, oauth);
    GrantMetadata grants = GrantMetadata.read(in, authentication.method());
    List<String> redirectUris = redirectUris(in, grants.needRedirect());
    Optional<Keys> keys = keys(in);
    if (authentication.needsKeys() && keys.isEmpty()) {
      in.wrong("jwks", "or jwks_uri is missing: the client authenticates with its keys");
    }
    Set<String> scopes = scopes(in, oauth, trusted);
    SubjectMetadata subject = SubjectMetadata.read(in, redirectUris);
    TokenMetadata tokens = TokenMetadata.read(in, keys.isPresent());
    Logout logout = logout(in, redirectUris, subject);
    Optional<String> name = in.text("client_name");
    About about = about(in);
    in.text("software_id");
    in.text("software_version");
    Function<Identity, ClientConfig> make =
        identity ->
            new ClientConfig(
                identity.clientId(), name,
                new ClientAuthentication(
                    Set.of(authentication.method()), identity.secret(), authentication.certificate()),
                new ClientConfig.Permissions(grants.grants(), redirectUris, scopes, List.of()),
                new ClientConfig.Login(subject.type(), true, Optional.empty()), tokens.requests(authentication), tokens.tokens(), keys,
                logout, about);
    return in.problem()
        .<Result<ClientMetadata, OAuthError>>map(Result.Refused::new)
        .orElseGet(
            () ->
                Result.accepted(
                    new ClientMetadata(
                        Map.copyOf(in.registered()), authentication.method(), redirectUris, subject, make)));
  }

  ClientConfig config(String clientId, Optional<ClientSecret> secret) {
    return make.apply(new Identity(clientId, secret));
  }

  private static List<String> redirectUris(MetadataReader in, boolean needed) {
    List<String> uris = in.texts("redirect_uris");
    if (needed && uris.isEmpty()) {
      in.wrong(Code.INVALID_REDIRECT_URI, "redirect_uris", "is missing");
    }
    if (uris.size() > MAX_REDIRECT_URIS) {
      in.wrong(Code.INVALID_REDIRECT_URI, "redirect_uris", "are too many");
    }
    in.choice("application_type", Map.of("web", true, "native", false));
    if (!in.has("application_type")) {
      in.register("application_type", "web");
    }
    uris.forEach(
        uri ->
            ClientUris.problem(uri)
                .ifPresent(problem -> in.wrong(Code.INVALID_REDIRECT_URI, "a redirect URI", problem)));
    return uris;
  }

  private static Optional<Keys> keys(MetadataReader in) {
    Optional<URI> uri = in.url("jwks_uri");
    Optional<Map<?, ?>> jwks = in.object("jwks");
    if (uri.isPresent() && jwks.isPresent()) {
      in.wrong("jwks", "and jwks_uri exclude each other");
    }
    if (jwks.isEmpty()) {
      return uri.map(Keys.JwksUri::new);
    }
    String json = StrictJson.write(jwks.get());
    if (PublicKeys.read(json) instanceof Result.Refused(String problem)) {
      in.wrong("jwks", "is not usable: " + problem);
    }
    return Optional.of(new Keys.Jwks(json));
  }

  private static Set<String> scopes(MetadataReader in, OAuthConfig oauth, boolean trusted) {
    Set<String> possible = new TreeSet<>(StandardScopes.ALL);
    if (trusted) {
      possible.addAll(oauth.scopes().keySet());
    }
    Set<String> scopes = new TreeSet<>(StandardScopes.ALL);
    in.text("scope")
        .ifPresent(
            asked -> {
              scopes.clear();
              scopes.addAll(List.of(asked.strip().split(" +")));
              scopes.retainAll(possible);
            });
    in.register("scope", String.join(" ", scopes));
    return scopes;
  }

  private static Logout logout(MetadataReader in, List<String> redirectUris, SubjectMetadata subject) {
    List<String> back = in.texts("post_logout_redirect_uris");
    back.forEach(
        uri -> ClientUris.problem(uri).ifPresent(problem -> in.wrong("a post-logout redirect URI", problem)));
    Optional<URI> front = in.url("frontchannel_logout_uri");
    // OpenID Connect Front-Channel Logout 1.0, section 2.
    if (front.filter(uri -> redirectUris.stream().noneMatch(known -> isSameOrigin(uri, known))).isPresent()) {
      in.wrong("frontchannel_logout_uri", "has another origin than the redirect URIs");
    }
    // A logout token has the subject (OpenID Connect Back-Channel Logout 1.0, section 2.4).
    Optional<URI> backChannel = in.url("backchannel_logout_uri");
    if (backChannel.filter(uri -> !subject.mayBeSentTo(uri, redirectUris)).isPresent()) {
      in.wrong("backchannel_logout_uri", "would get pairwise subjects at another host than the sector and the redirect URIs");
    }
    return new Logout(
        back,
        front,
        in.flag("frontchannel_logout_session_required"),
        backChannel,
        in.flag("backchannel_logout_session_required"));
  }

  private static boolean isSameOrigin(URI uri, String redirectUri) {
    try {
      return dev.gatehouse.common.http.Origin.of(uri)
          .equals(dev.gatehouse.common.http.Origin.of(new URI(redirectUri)));
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      return false;
    }
  }

  private static About about(MetadataReader in) {
    return new About(
        in.url("client_uri"),
        in.url("logo_uri"),
        in.url("policy_uri"),
        in.url("tos_uri"),
        in.url("initiate_login_uri"),
        in.texts("contacts"));
  }

  /** The error for a body that cannot be read. */
  static OAuthError unreadable() {
    return OAuthError.of(Code.INVALID_CLIENT_METADATA, "the body is not a JSON object");
  }
}
