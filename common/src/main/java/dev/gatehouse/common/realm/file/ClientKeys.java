package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.ClientAuthentication.CertificateName;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig.AccessTokenFormat;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.Encryption;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ClientConfig.Keys;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The declared keys of {@code clients}. Further names of a key are those of client registration (RFC 7591, OpenID Connect). */
final class ClientKeys {

  static final Type<JwsName> ALGORITHM =
      Type.choice(JwsName::value, JwsName.RS256, JwsName.PS256, JwsName.ES256, JwsName.EDDSA);
  static final Type<String> REDIRECT = Type.matching("URI", "^[^*]+:", ClientsYaml::redirect).reaching(Reach.NAME_ONLY);

  private static final Section CERTIFICATE = new Section();
  static final Map<CertificateName.Field, Key<String>> CERTIFICATE_NAMES = new EnumMap<>(CertificateName.Field.class);

  static {
    name(CertificateName.Field.SUBJECT_DN, "subjectDn", "e.g. CN=client,O=Example");
    name(CertificateName.Field.SAN_DNS, "sanDns", "e.g. client.example.org");
    name(CertificateName.Field.SAN_URI, "sanUri", "e.g. https://client.example.org");
    name(CertificateName.Field.SAN_IP, "sanIp", "e.g. 192.0.2.7");
    name(CertificateName.Field.SAN_EMAIL, "sanMail", "e.g. client@example.org");
  }

  private static void name(CertificateName.Field field, String name, String example) {
    CERTIFICATE_NAMES.put(field, CERTIFICATE.key(name, Type.TEXT.reaching(Reach.NAME_ONLY), example,
        "The name, as in the client's certificate.").elsewhere(field.value()));
  }

  private static final Section ACCESS_TOKEN = new Section();
  static final Key<AccessTokenFormat> FORMAT =
      ACCESS_TOKEN.key("format", Type.choice(AccessTokenFormat.class), "jwt", "A JWT (RFC 9068), or an opaque token.");
  static final Key<JwsName> ACCESS_ALGORITHM =
      ACCESS_TOKEN.key("algorithm", ALGORITHM, "e.g. RS256",
          "The signature algorithm; default: RS256, or ES256 with `profile: fapi2`.");
  static final Key<Duration> ACCESS_LIFE =
      ACCESS_TOKEN.key("life", Type.duration("1s", "24h"), "e.g. 1m",
          "Life of the client's access tokens; `idp.oauth.accessTokenLife` unless configured.");

  private static final Section REFRESH_TOKEN = new Section();
  static final Key<Duration> REFRESH_LIFE =
      REFRESH_TOKEN.key("life", Type.duration("1s", "3650d"), "e.g. 7d",
          "Life of the client's refresh tokens; `idp.oauth.refreshTokenLife` unless configured.");
  static final Key<Duration> GRACE =
      REFRESH_TOKEN.key(
          "grace", Type.duration("0s", "10s"), "0s", "Time during which a used refresh token returns the same successor, until that is used.");

  /** The encryption of a token to the client's key. */
  record EncryptionKeys(Key<String> algorithm, Key<String> method) {
    static EncryptionKeys in(Section keys, String prefix) {
      return new EncryptionKeys(
          keys.key(
              "keyEncryption", Type.words("RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A256KW"), "e.g. RSA-OAEP-256",
              "The key encryption, if it is encrypted to the client's key.")
              .elsewhere(prefix + "_encrypted_response_alg"),
          keys.key(
              "encryption", Type.words("A128GCM", "A256GCM", "A128CBC-HS256"), "A256GCM", "The encryption of the content.")
              .elsewhere(prefix + "_encrypted_response_enc"));
    }

    Optional<Encryption> read(YamlSection section, boolean hasKeys) {
      Optional<String> key = section.find(algorithm);
      if (key.isPresent() && !hasKeys) {
        section.problem(algorithm, "needs the client's keys", "add jwks or jwksUri to the client");
      }
      return key.map(name -> new Encryption(name, section.get(method)));
    }
  }

  private static final Section ID_TOKEN = new Section();
  static final Key<JwsName> ID_ALGORITHM =
      ID_TOKEN.key("algorithm", ALGORITHM, "e.g. RS256",
          "The signature algorithm; default: RS256, or ES256 with `profile: fapi2`.");
  static final EncryptionKeys ID_ENCRYPTION = EncryptionKeys.in(ID_TOKEN, "id_token");

  private static final Section USER_INFO = new Section();
  static final Key<JwsName> USER_INFO_ALGORITHM =
      USER_INFO.key("algorithm", ALGORITHM, "e.g. RS256", "The signature algorithm, if UserInfo is signed.");
  static final EncryptionKeys USER_INFO_ENCRYPTION = EncryptionKeys.in(USER_INFO, "userinfo");

  private static final Section LOGOUT = new Section();
  static final Key<String> LOGOUT_REDIRECTS =
      LOGOUT.list("redirectUris", REDIRECT, "[]", "Addresses to which a logout may return.").elsewhere("post_logout_redirect_uris");
  static final Key<URI> FRONT_CHANNEL =
      LOGOUT.key(
          "frontChannel", Type.LINK, "e.g. https://client.example.org/logout-frame",
          "The client's page for front-channel logout, loaded in a frame.").elsewhere("frontchannel_logout_uri");
  static final Key<Boolean> FRONT_CHANNEL_SESSION =
      LOGOUT.key(
          "frontChannelSession", Type.BOOL, "true", "Whether the address of that page gets the parameters iss and sid.")
          .elsewhere("frontchannel_logout_session_required");
  static final Key<URI> BACK_CHANNEL =
      LOGOUT.key(
          "backChannel", Type.OUTBOUND_URL, "e.g. https://client.example.org/logout", "The client's endpoint for back-channel logout.")
          .elsewhere("backchannel_logout_uri");
  static final Key<Boolean> BACK_CHANNEL_SESSION =
      LOGOUT.key(
          "backChannelSession", Type.BOOL, "true", "Whether a logout token must contain a sid.")
          .elsewhere("backchannel_logout_session_required");

  private static final Section ABOUT = new Section();
  static final Key<URI> HOME =
      ABOUT.key("home", Type.LINK, "e.g. https://client.example.org", "The client's home page.").elsewhere("client_uri");
  static final Key<URI> LOGO =
      ABOUT.key("logo", Type.OUTBOUND_URL, "e.g. https://client.example.org/logo.png", "The client's logo.").elsewhere("logo_uri");
  static final Key<URI> POLICY =
      ABOUT.key(
          "policy", Type.LINK, "e.g. https://client.example.org/privacy", "A page on how the client uses people's data.")
          .elsewhere("policy_uri");
  static final Key<URI> TERMS =
      ABOUT.key("terms", Type.LINK, "e.g. https://client.example.org/terms", "The client's terms of service.").elsewhere("tos_uri");
  static final Key<URI> INITIATE_LOGIN =
      ABOUT.key(
          "initiateLogin", Type.LINK, "e.g. https://client.example.org/login", "The address at the client where a login begins.")
          .elsewhere("initiate_login_uri");
  static final Key<String> CONTACTS = ABOUT.list("contacts", Type.TEXT, "[]", "E-mail addresses of the client's owners.");

  private static final Section AGENT = new Section();
  static final Key<String> AGENT_ROLES =
      AGENT.list("roles", Type.NAME, "[]", "People must have one of these roles; anybody with a token is answered for unless configured.");
  static final Key<Boolean> AGENT_VISITORS =
      AGENT.key("visitors", Type.BOOL, "false", "Whether it may ask about people of `otp.visitors.trusts`, too: the answer has their name with suffix.");
  static final Key<Integer> AGENT_RATE =
      AGENT.key("perSecond", Type.integer(1, 100_000), "50", "Passcodes that the client may ask about in a second at one node.");
  static final Key<Integer> AGENT_OFFLINE =
      AGENT.key(
          "offlineDays", Type.choice(String::valueOf, 0, 1, 3, 30), "0",
          "For how many days after a person's login the agent may check their passcodes while it reaches no node.");

  static final Section KEYS = new Section();
  static final Key<String> CLIENT_ID =
      KEYS.required("clientId", Type.NAME, "web-app", "write the name that the client sends",
          "The client's ID, unique in the realm.");
  static final Key<String> DISPLAY_NAME =
      KEYS.key("displayName", Type.TEXT, "e.g. Our web app", "The name shown on pages; the client ID unless configured.").elsewhere(
          "client_name");
  static final Key<Secret> SECRET =
      KEYS.key(
          "secret", Type.SECRET, "e.g. ${CLIENT_SECRET}",
          "The client's secret; a client without one is public. A right secret of at least 22 characters is always accepted; a "
              + "shorter one is refused while too many wrong ones come from its address.")
          .elsewhere("client_secret");
  static final Key<Method> AUTHENTICATION =
      KEYS.list(
          "authentication", Type.choice(Type.table(Method::value, Method.values()), Type.table(ClientsYaml::formerWord, Method.values())),
          "e.g. [client_secret_basic, client_secret_post]",
          "Accepted methods of client authentication; default: the example if the client has a secret, otherwise none.")
          .elsewhere("token_endpoint_auth_method");
  static final Key<Void> CERTIFICATE_NAME =
      KEYS.section(
          "certificate", CERTIFICATE,
          "The one name in the client's certificate that counts, with `authentication: tls_client_auth`.");
  static final Key<Keys> JWKS =
      KEYS.key("jwks", Type.string("JWK Set file", ClientsYaml::jwks), "e.g. client-keys.json", "The client's public keys.");
  static final Key<URI> JWKS_URI =
      KEYS.key("jwksUri", Type.OUTBOUND_URL, "e.g. https://client.example.org/jwks.json",
          "The address of the client's public keys, in place of `jwks`.");
  static final Key<GrantType> GRANTS =
      KEYS.list(
          "grants", Type.choice(Type.table(ClientsYaml::word, GrantType.values()), Type.table(GrantType::word, GrantType.values())),
          "[authorization_code, refresh_token]", "Grants that the client may use; password, implicit and hybrid are historical.")
          .elsewhere("grant_types", "response_types");
  static final Key<String> REDIRECT_URIS =
      KEYS.list(
          "redirectUris", REDIRECT, "e.g. [https://client.example.org/callback]",
          "The client's redirect URIs; required for authorization_code, implicit and hybrid; compared exactly, except for the "
              + "port on loopback.");
  static final Key<String> SCOPES =
      KEYS.list(
          "scopes", Type.matching("scope", "(?!claim:)[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}", "is not a scope", ClientsYaml.SCOPE_REMEDY),
          "[openid, profile, email]", "Scopes that the client may request.")
          .elsewhere("scope");
  static final Key<String> RESOURCES =
      KEYS.list("resources", Type.ENTITY_ID, "[]",
          "Resources that the client's access tokens may be for, e.g. `[https://api.example.org]`.");
  static final Key<Void> PASSCODES =
      KEYS.section(
          "passcodes", AGENT,
          "Makes the client an agent, which may ask about passcodes of tokens at `otp/v1/authentications`. Needs `idp.contracts.token`, and "
              + "`authentication` by keys or certificates only.");
  static final Key<Boolean> SUBJECT =
      KEYS.key(
          "subject", Type.choice(pairwise -> pairwise ? "pairwise" : "public", false, true), "public", "The kind of `sub`.")
          .elsewhere("subject_type");
  static final Key<String> SECTOR =
      KEYS.key(
          "sector", Type.TEXT.reaching(Reach.NAME_ONLY), "e.g. client.example.org",
          "The sector whose pairwise names the client shares; unless configured, the host of the redirect URIs, which are then https "
              + "addresses of one host.")
          .elsewhere("sector_identifier_uri");
  static final Key<Boolean> CONSENT =
      KEYS.key("consent", Type.BOOL, "false", "Whether people are asked before anything is released to the client.");
  static final Key<String> CONTRACT =
      KEYS.key("contract", PartnersYaml.CONTRACTS, "e.g. totp", "The least login contract; any unless configured.");
  static final Key<String> PROFILE =
      KEYS.key(
          "profile", Type.words("fapi2"), "e.g. fapi2",
          "The client must follow the FAPI 2.0 Security Profile. It sets `pushedRequests: true`, `binding: dpop` and ES256, "
              + "allows PS256 and EdDSA, and requires private_key_jwt, tls_client_auth or self_signed_tls_client_auth, and "
              + "assertions whose only audience is the issuer.");
  static final Key<Boolean> PKCE = KEYS.key("pkce", Type.BOOL, "true",
      "Whether requests must use PKCE; a public client always must.");
  static final Key<Boolean> PUSHED =
      KEYS.key(
          "pushedRequests", Type.BOOL, "e.g. true",
          "Whether requests must be pushed; only with `profile: fapi2` unless configured.")
          .elsewhere("require_pushed_authorization_requests");
  static final Key<Boolean> SIGNED =
      KEYS.key("signedRequests", Type.BOOL, "false", "Whether requests must be signed.").elsewhere("require_signed_request_object");
  static final Key<URI> REQUEST_URIS =
      KEYS.list(
          "requestUris", Type.OUTBOUND_URL, "[]",
          "Addresses from which request objects may be fetched, e.g. `[https://client.example.org/request.jwt]`.");
  static final Key<JwsName> REQUEST_ALGORITHM =
      KEYS.key(
          "requestAlgorithm", ALGORITHM, "e.g. ES256", "The only algorithm accepted for request objects; any unless configured.")
          .elsewhere("request_object_signing_alg");
  static final Key<JwsName> AUTHENTICATION_ALGORITHM =
      KEYS.key(
          "authenticationAlgorithm", ALGORITHM, "e.g. ES256",
          "The only algorithm accepted for the client's assertions; any unless configured.")
          .elsewhere("token_endpoint_auth_signing_alg");
  static final Key<Duration> DEFAULT_MAX_AGE =
      KEYS.key("defaultMaxAge", Type.duration("0s", "30d"), "e.g. 1h", "The max_age of requests without one.");
  static final Key<Boolean> REQUIRE_AUTH_TIME =
      KEYS.key("requireAuthTime", Type.BOOL, "false", "Whether ID tokens always have auth_time.");
  static final Key<String> DEFAULT_ACR_VALUES =
      KEYS.list("defaultAcrValues", Type.TEXT, "[]", "The acr_values of requests without them.");
  static final Key<Void> ACCESS_TOKENS = KEYS.section("accessToken", ACCESS_TOKEN, "The client's access tokens.");
  static final Key<Void> REFRESH_TOKENS = KEYS.section("refreshToken", REFRESH_TOKEN, "The client's refresh tokens.");
  static final Key<Void> ID_TOKENS = KEYS.section("idToken", ID_TOKEN, "The client's ID tokens.");
  static final Key<Void> USER_INFOS =
      KEYS.section("userInfo", USER_INFO, "The format of UserInfo responses to the client; plain JSON unless configured.");
  static final Key<Binding> BINDING =
      KEYS.key(
          "binding", Type.choice(Binding.class), "e.g. asUsed",
          "What every token must be bound to; `dpopNonce`: proofs must contain a nonce of ours. Default: asUsed, or `dpop` with "
              + "`profile: fapi2`.");
  static final Key<Void> LOGOUTS = KEYS.section("logout", LOGOUT, "How the client is notified of logouts.");
  static final Key<Void> LINKS = KEYS.section("about", ABOUT, "Links that people see.");

  private ClientKeys() {}
}
