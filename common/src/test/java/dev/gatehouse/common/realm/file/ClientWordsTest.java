package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.ClientAuthentication;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Methods and grants of clients by the words of the specifications; those of former configurations mean the same. */
class ClientWordsTest {

  @TempDir Path path;

  private ClientConfig client(String name, String keys) throws Exception {
    PeopleCa authority = PeopleCa.create("CN=Clients CA", SamlFixtures.NOW);
    ConfigurationFolder folder =
        ConfigurationFolder.minimal(path.resolve(name))
            .demo(
                "idp:\n  publicUrl: http://idp.localhost:8080\n",
                "clients: [{clientId: a, redirectUris: [\"https://a.example/cb\"], " + keys + "}]\n"
                    + "idp:\n  publicUrl: http://idp.localhost:8080\n"
                    + "  oauth: {certificateUrl: \"https://id.example:8447\", certificateCa: ca.pem}\n")
            .node("listeners: {idp: {port: 8080}, clientCertificates: {port: 8447, certificate: tls.pem, privateKey: tls.key}}")
            .pem("tls", SamlFixtures.idpKey())
            .write("realms/ca.pem", PeopleCa.pem("CERTIFICATE", authority.certificate().getEncoded()));
    assertThat(folder.problems()).as(keys).isEmpty();
    return folder.realm().parties().clients().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "client_secret_basic|basic|secret: quiet",
        "client_secret_post|post|secret: quiet",
        "client_secret_jwt|secretJwt|secret: a-secret-of-forty-characters-and-some-more",
        "private_key_jwt|privateKeyJwt|jwksUri: \"https://a.example/keys\"",
        "tls_client_auth|certificate|certificate: {sanDns: a.example}",
        "self_signed_tls_client_auth|selfSignedCertificate|jwksUri: \"https://a.example/keys\"",
        "none|none|pkce: true"
      })
  void methods(String word, String former, String others) throws Exception {
    ClientConfig now = client("now", "authentication: [" + word + "], " + others);

    assertThat(now.authentication().methods()).extracting(ClientAuthentication.Method::value).containsExactly(word);
    assertThat(client("then", "authentication: [" + former + "], " + others).authentication().methods())
        .isEqualTo(now.authentication().methods());
  }

  @ParameterizedTest
  @CsvSource({
    "authorization_code,code", "'authorization_code, refresh_token','code, refresh'", "client_credentials,clientCredentials",
    "urn:ietf:params:oauth:grant-type:device_code,device", "password,password"
  })
  void grants(String words, String former) throws Exception {
    ClientConfig now = client("now", "secret: quiet, grants: [" + quoted(words) + "]");

    assertThat(now.permissions().grants()).hasSize(words.split(",").length);
    assertThat(client("then", "secret: quiet, grants: [" + former + "]").permissions().grants()).isEqualTo(now.permissions().grants());
  }

  private static String quoted(String words) {
    return "\"" + words.replace(", ", "\", \"") + "\"";
  }

  @Test
  void anUnknownWordIsAnsweredWithThoseOfTheSpecifications() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(
        "idp:\n",
        "clients: [{clientId: a, redirectUris: [\"https://a.example/cb\"], secret: quiet, authentication: [tlsClientAuth]}]\nidp:\n");
    assertThat(folder.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.remedy()).contains("tls_client_auth", "private_key_jwt"));
  }
}
