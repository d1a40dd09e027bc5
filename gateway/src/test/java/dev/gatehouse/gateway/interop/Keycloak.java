package dev.gatehouse.gateway.interop;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Keycloak from Maven Central ({@code perf/peers/keycloak}), everything in memory. Its realm {@code city} is an
 * identity provider with the person carol; its realm {@code town} is a service provider that brokers our people: as
 * {@code club}, and as {@code sealed}, which takes encrypted assertions alone; its realm {@code village} brokers them
 * by OpenID Connect, as {@code open}.
 */
final class Keycloak implements AutoCloseable {

  private static final String SCRIPT = Path.of("../perf/peers/keycloak").toAbsolutePath().normalize().toString();
  private static final Pattern TOKEN = Pattern.compile("\"access_token\":\"([^\"]+)\"");
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final Duration START = Duration.ofMinutes(4);

  /** It lives for two minutes, half of which is its start: neither the compiler C2 nor a collector beside it nor verified classes pay. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_KC_HEAP", "-Xms384m -Xmx768m", "JAVA_OPTS_APPEND",
          "-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC -XX:+IgnoreUnrecognizedVMOptions -XX:+UnlockDiagnosticVMOptions"
              + " -XX:-BytecodeVerificationRemote");

  /**
   * A service provider of {@code city}.
   *
   * @param base its origin
   * @param certificates from its metadata: for signing first, for encryption last
   * @param encrypted whether it gets encrypted assertions by POST, and LogoutRequests by browsers; others get
   *     artifacts, and LogoutRequests by SOAP
   */
  record Client(String base, List<String> certificates, boolean encrypted) {}

  /** The identity provider that {@code town} asks. */
  record Broker(String idp, String certificate) {}

  private final String url;
  private final ServerProcess process;

  private Keycloak(String url, ServerProcess process) {
    this.url = url;
    this.process = process;
  }

  /** @param relyingParty the origin of a client of {@code city} by OpenID Connect: {@code gatehouse} / {@code gatehouse-secret} */
  static Keycloak start(Path logs, int port, List<Client> clients, String relyingParty, Broker broker)
      throws IOException, InterruptedException {
    prepare(logs);
    Path home = Files.createTempDirectory("gatehouse-keycloak");
    Path imported = Files.createDirectories(home.resolve("data/import"));
    String url = "http://127.0.0.1:" + port;
    Files.writeString(imported.resolve("city.json"), city(clients, relyingParty));
    Files.writeString(imported.resolve("town.json"), town(url, broker));
    Files.writeString(imported.resolve("village.json"), village(url, broker.idp()));
    ServerProcess process =
        ServerProcess.start(
            "keycloak",
            logs,
            ENVIRONMENT,
            List.of(SCRIPT, "run", home.toString(), "dev-mem", "--http-port=" + port, "--hostname=" + url));
    return new Keycloak(url, process.await(() -> answers(url + "/realms/town"), START));
  }

  /** What it has logged so far. */
  String log() {
    return process.output();
  }

  /** An access token of the client {@code gatehouse} itself, at {@code city}. */
  String accessToken() throws IOException, InterruptedException {
    return accessToken("city", "grant_type=client_credentials&client_id=gatehouse&client_secret=gatehouse-secret");
  }

  private String accessToken(String realm, String form) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest login =
          HttpRequest.newBuilder(URI.create(url + "/realms/" + realm + "/protocol/openid-connect/token"))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(BodyPublishers.ofString(form))
              .build();
      return first(TOKEN, client.send(login, BodyHandlers.ofString()).body());
    }
  }

  /** Has Keycloak's administrator end all sessions of a person in {@code city}, by its admin API. */
  void endSessionsOf(String person) throws IOException, InterruptedException {
    String token = accessToken("master", "grant_type=password&client_id=admin-cli&username=admin&password=admin");
    try (HttpClient client = HttpClient.newHttpClient()) {
      String users = url + "/admin/realms/city/users";
      HttpRequest find = authorized(users + "?exact=true&username=" + person, token).build();
      String id = first(ID, client.send(find, BodyHandlers.ofString()).body());
      HttpRequest logout =
          authorized(users + "/" + id + "/logout", token).POST(BodyPublishers.noBody()).build();
      HttpResponse<String> answer = client.send(logout, BodyHandlers.ofString());
      if (answer.statusCode() != 204) {
        throw new IOException("Keycloak did not end the sessions: " + answer.statusCode() + " " + answer.body());
      }
    }
  }

  private static HttpRequest.Builder authorized(String address, String token) {
    return HttpRequest.newBuilder(URI.create(address)).header("Authorization", "Bearer " + token);
  }

  private static String first(Pattern pattern, String json) throws IOException {
    Matcher found = pattern.matcher(json);
    if (!found.find()) {
      throw new IOException("Keycloak answered " + json);
    }
    return found.group(1);
  }

  /** Fetches and builds it, which is done once. */
  private static void prepare(Path logs) throws IOException, InterruptedException {
    Path log = logs.resolve("keycloak-prepare.log");
    ProcessBuilder prepare =
        new ProcessBuilder(SCRIPT, "prepare", "dev-mem").redirectErrorStream(true).redirectOutput(log.toFile());
    prepare.environment().putAll(ENVIRONMENT);
    if (prepare.start().waitFor() != 0) {
      throw new IOException("Keycloak could not be prepared: " + Files.readString(log));
    }
  }

  private static String city(List<Client> clients, String relyingParty) {
    return """
        {"realm": "city", "enabled": true, "sslRequired": "none", %s,
         "users": [{"username": "carol", "enabled": true, "email": "carol@example.org", "emailVerified": true,
           "firstName": "Carol", "lastName": "Example", "credentials": [{"type": "password", "value": "demo"}]}],
         "clients": [%s, %s]}
        """
        .formatted(keys(), clients.stream().map(Keycloak::client).collect(Collectors.joining(",\n")), relyingParty(relyingParty));
  }

  /** Its access tokens name itself too: Keycloak tells of a token only to who is in its audience. */
  private static String relyingParty(String base) {
    return """
        {"clientId": "gatehouse", "protocol": "openid-connect", "enabled": true, "secret": "gatehouse-secret",
         "redirectUris": ["%1$s/.gatehouse/oidc/callback"], "serviceAccountsEnabled": true,
         "attributes": {
           "pkce.code.challenge.method": "S256",
           "post.logout.redirect.uris": "%1$s/.gatehouse/oidc/logged-out",
           "backchannel.logout.url": "%1$s/.gatehouse/oidc/backchannel", "backchannel.logout.session.required": "true"},
         "protocolMappers": [
           {"name": "own", "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
            "config": {"included.client.audience": "gatehouse", "access.token.claim": "true",
              "introspection.token.claim": "true", "id.token.claim": "false"}},
           {"name": "api", "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
            "config": {"included.custom.audience": "urn:example:api", "access.token.claim": "true",
              "introspection.token.claim": "true", "id.token.claim": "false"}}]}"""
        .formatted(base);
  }

  private static String client(Client client) {
    return """
        {"clientId": "%1$s/.gatehouse/saml/metadata", "protocol": "saml", "enabled": true, "frontchannelLogout": %4$s,
         "redirectUris": ["%1$s/*"],
         "attributes": {
           "saml.client.signature": "true", "saml.signing.certificate": "%2$s",
           "saml.server.signature": "true", "saml.assertion.signature": "true",
           "saml.signature.algorithm": "RSA_SHA256", "saml.authnstatement": "true",
           "saml.force.post.binding": "%5$s", "saml.artifact.binding": "%6$s", "saml_name_id_format": "persistent",
           "saml.encrypt": "%4$s", "saml.encryption.certificate": "%3$s",
           "saml.encryption.algorithm": "http://www.w3.org/2009/xmlenc11#aes256-gcm",
           "saml.encryption.keyAlgorithm": "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
           "saml_assertion_consumer_url_post": "%1$s/.gatehouse/saml/acs",
           "saml_artifact_binding_url": "%1$s/.gatehouse/saml/acs",
           "saml_single_logout_service_url_redirect": "%1$s/.gatehouse/saml/slo",
           "saml_single_logout_service_url_post": "%1$s/.gatehouse/saml/slo",
           "saml_single_logout_service_url_soap": "%1$s/.gatehouse/saml/slo/soap"},
         "protocolMappers": [
           {"name": "uid", "protocol": "saml", "protocolMapper": "saml-user-property-mapper",
            "config": {"user.attribute": "username", "attribute.name": "uid", "attribute.nameformat": "Basic"}}]}"""
        .formatted(
            client.base(), client.certificates().getFirst(), client.certificates().getLast(), client.encrypted(),
            client.encrypted(), !client.encrypted());
  }

  private static String town(String url, Broker broker) {
    return """
        {"realm": "town", "enabled": true, "sslRequired": "none", %6$s, "clients": [%1$s],
         "identityProviders": [%2$s, %3$s],
         "identityProviderMappers": [%4$s, %5$s]}
        """
        .formatted(
            hall(url), identityProvider("club", url + "/realms/town", broker, false),
            identityProvider("sealed", url + "/realms/town/sealed", broker, true), mappers("club"), mappers("sealed"),
            keys());
  }

  /** Of a realm, as Keycloak would make them. Without the compiler C2 it takes seconds to find primes; the other keys are random bytes. */
  private static String keys() {
    return """
        "components": {"org.keycloak.keys.KeyProvider": [
          {"name": "rsa", "providerId": "rsa", "config": {"priority": ["100"], "privateKey": ["%s"]}},
          {"name": "rsa-enc", "providerId": "rsa-enc",
           "config": {"priority": ["100"], "algorithm": ["RSA-OAEP"], "privateKey": ["%s"]}},
          {"name": "hmac-generated-hs512", "providerId": "hmac-generated", "config": {"priority": ["100"], "algorithm": ["HS512"]}},
          {"name": "aes-generated", "providerId": "aes-generated", "config": {"priority": ["100"]}}]}"""
        .formatted(rsa(), rsa());
  }

  private static String rsa() {
    return Base64.getEncoder().encodeToString(SamlFixtures.create(KeyAlgorithm.RSA_2048, "keycloak").privateKey().getEncoded());
  }

  private static String hall(String url) {
    return """
        {"clientId": "hall", "protocol": "openid-connect", "enabled": true, "publicClient": true,
         "redirectUris": ["%1$s/*"], "attributes": {"post.logout.redirect.uris": "%1$s/*"}}"""
        .formatted(url);
  }

  /**
   * Its secret is that of the client in {@code src/test/resources/peers}. With {@code backchannelSupported} Keycloak would call
   * our logout address itself, without the browser whose session is to end.
   */
  private static String village(String url, String issuer) {
    return """
        {"realm": "village", "enabled": true, "sslRequired": "none", %3$s, "clients": [%1$s],
         "identityProviders": [
           {"alias": "open", "providerId": "oidc", "enabled": true, "trustEmail": true,
            "firstBrokerLoginFlowAlias": "first broker login",
            "config": {
              "clientId": "village", "clientSecret": "a-village-secret", "clientAuthMethod": "client_secret_basic",
              "issuer": "%2$s", "authorizationUrl": "%2$s/oauth/authorize", "tokenUrl": "%2$s/oauth/token",
              "userInfoUrl": "%2$s/oauth/userinfo", "logoutUrl": "%2$s/oauth/logout",
              "useJwksUrl": "true", "jwksUrl": "%2$s/oauth/jwks", "validateSignature": "true",
              "pkceEnabled": "true", "pkceMethod": "S256", "defaultScope": "openid profile email",
              "backchannelSupported": "false", "syncMode": "IMPORT"}}]}
        """
        .formatted(hall(url), issuer, keys());
  }

  private static String identityProvider(String alias, String entityId, Broker broker, boolean encrypted) {
    return """
        {"alias": "%1$s", "providerId": "saml", "enabled": true, "trustEmail": true,
         "firstBrokerLoginFlowAlias": "first broker login",
         "config": {
           "entityId": "%2$s", "idpEntityId": "%3$s",
           "singleSignOnServiceUrl": "%3$s/saml/sso", "singleLogoutServiceUrl": "%3$s/saml/slo",
           "signingCertificate": "%4$s", "validateSignature": "true", "wantAuthnRequestsSigned": "true",
           "wantAssertionsSigned": "true", "wantAssertionsEncrypted": "%5$s",
           "postBindingAuthnRequest": "true", "postBindingResponse": "true", "postBindingLogout": "false",
           "nameIDPolicyFormat": "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
           "principalType": "ATTRIBUTE", "principalAttribute": "uid",
           "signatureAlgorithm": "RSA_SHA256", "xmlSigKeyInfoKeyNameTransformer": "NONE", "syncMode": "IMPORT"}}"""
        .formatted(alias, entityId, broker.idp(), broker.certificate(), encrypted);
  }

  private static String mappers(String alias) {
    return String.join(
        ",\n",
        mapper(alias, "mail", "email"),
        mapper(alias, "givenName", "firstName"),
        mapper(alias, "sn", "lastName"));
  }

  private static String mapper(String alias, String attribute, String property) {
    return """
        {"name": "%3$s", "identityProviderAlias": "%1$s", "identityProviderMapper": "saml-user-attribute-idp-mapper",
         "config": {"syncMode": "INHERIT", "attribute.name": "%2$s", "user.attribute": "%3$s"}}"""
        .formatted(alias, attribute, property);
  }

  private static boolean answers(String url) {
    try {
      HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(2000);
      return connection.getResponseCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
