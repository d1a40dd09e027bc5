package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Keycloak from Maven Central ({@code perf/peers/keycloak}), everything in memory. Its realm {@code city} is an identity
 * provider with the person carol; its realm {@code town} is a service provider that brokers our people.
 */
final class Keycloak implements AutoCloseable {

  private static final String SCRIPT = Path.of("../perf/peers/keycloak").toAbsolutePath().normalize().toString();
  private static final Duration START = Duration.ofMinutes(4);

  /**
   * A service provider of {@code city}.
   *
   * @param base its origin
   * @param certificates from its metadata: for signing first, for encryption last
   * @param encrypted whether it gets encrypted assertions by POST; others get artifacts
   */
  record Client(String base, List<String> certificates, boolean encrypted) {}

  /** The identity provider that {@code town} asks. */
  record Broker(String idp, String certificate) {}

  private final ServerProcess process;

  private Keycloak(ServerProcess process) {
    this.process = process;
  }

  static Keycloak start(Path logs, int port, List<Client> clients, Broker broker)
      throws IOException, InterruptedException {
    Map<String, String> environment = Map.of("JAVA_HOME", System.getProperty("java.home"), "JAVA_OPTS_KC_HEAP", "-Xmx768m");
    prepare(logs, environment);
    Path home = Files.createTempDirectory("gatehouse-keycloak");
    Path imported = Files.createDirectories(home.resolve("data/import"));
    String url = "http://127.0.0.1:" + port;
    Files.writeString(imported.resolve("city.json"), city(clients));
    Files.writeString(imported.resolve("town.json"), town(url, broker));
    ServerProcess process =
        ServerProcess.start(
            "keycloak",
            logs,
            environment,
            List.of(SCRIPT, "run", home.toString(), "dev-mem", "--http-port=" + port, "--hostname=" + url));
    return new Keycloak(process.await(() -> answers(url + "/realms/town"), START));
  }

  /** Fetches and builds it, which is done once. */
  private static void prepare(Path logs, Map<String, String> environment) throws IOException, InterruptedException {
    Path log = logs.resolve("keycloak-prepare.log");
    ProcessBuilder prepare =
        new ProcessBuilder(SCRIPT, "prepare", "dev-mem").redirectErrorStream(true).redirectOutput(log.toFile());
    prepare.environment().putAll(environment);
    if (prepare.start().waitFor() != 0) {
      throw new IOException("Keycloak could not be prepared: " + Files.readString(log));
    }
  }

  private static String city(List<Client> clients) {
    return """
        {"realm": "city", "enabled": true, "sslRequired": "none",
         "users": [{"username": "carol", "enabled": true, "email": "carol@example.org", "emailVerified": true,
           "firstName": "Carol", "lastName": "Example", "credentials": [{"type": "password", "value": "demo"}]}],
         "clients": [%s]}
        """
        .formatted(clients.stream().map(Keycloak::client).collect(Collectors.joining(",\n")));
  }

  private static String client(Client client) {
    return """
        {"clientId": "%1$s/.gatehouse/saml/metadata", "protocol": "saml", "enabled": true, "frontchannelLogout": true,
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
           "saml_single_logout_service_url_post": "%1$s/.gatehouse/saml/slo"},
         "protocolMappers": [
           {"name": "uid", "protocol": "saml", "protocolMapper": "saml-user-property-mapper",
            "config": {"user.attribute": "username", "attribute.name": "uid", "attribute.nameformat": "Basic"}}]}"""
        .formatted(
            client.base(), client.certificates().getFirst(), client.certificates().getLast(), client.encrypted(),
            client.encrypted(), !client.encrypted());
  }

  private static String town(String url, Broker broker) {
    return """
        {"realm": "town", "enabled": true, "sslRequired": "none",
         "clients": [
           {"clientId": "hall", "protocol": "openid-connect", "enabled": true, "publicClient": true,
            "redirectUris": ["%1$s/*"], "attributes": {"post.logout.redirect.uris": "%1$s/*"}}],
         "identityProviders": [
           {"alias": "club", "providerId": "saml", "enabled": true, "trustEmail": true,
            "firstBrokerLoginFlowAlias": "first broker login",
            "config": {
              "entityId": "%1$s/realms/town", "idpEntityId": "%2$s",
              "singleSignOnServiceUrl": "%2$s/saml/sso", "singleLogoutServiceUrl": "%2$s/saml/slo",
              "signingCertificate": "%3$s", "validateSignature": "true", "wantAuthnRequestsSigned": "true",
              "wantAssertionsSigned": "true", "wantAssertionsEncrypted": "false",
              "postBindingAuthnRequest": "true", "postBindingResponse": "true", "postBindingLogout": "false",
              "nameIDPolicyFormat": "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
              "principalType": "ATTRIBUTE", "principalAttribute": "uid",
              "signatureAlgorithm": "RSA_SHA256", "xmlSigKeyInfoKeyNameTransformer": "NONE", "syncMode": "IMPORT"}}],
         "identityProviderMappers": [%4$s, %5$s, %6$s]}
        """
        .formatted(
            url, broker.idp(), broker.certificate(), mapper("mail", "email"), mapper("givenName", "firstName"),
            mapper("sn", "lastName"));
  }

  private static String mapper(String attribute, String property) {
    return """
        {"name": "%2$s", "identityProviderAlias": "club", "identityProviderMapper": "saml-user-attribute-idp-mapper",
         "config": {"syncMode": "INHERIT", "attribute.name": "%1$s", "user.attribute": "%2$s"}}"""
        .formatted(attribute, property);
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
