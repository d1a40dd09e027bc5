package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The provider's metadata (OpenID Connect Discovery 3 and 4; RFC 8414, sections 2 and 3). */
class DiscoveryTest {

  private static final String WELL_KNOWN = "/realms/demo/.well-known/openid-configuration";

  private static Realm realm(Registration registration, Optional<URI> certificates, GrantType... grants) {
    OAuthApp app = new OAuthApp();
    app.grants = Set.of(grants);
    OAuthConfig usual = OAuthConfig.USUAL;
    return TestRealms.change(OAuthApp.realm(app))
        .oauth(
            new OAuthConfig(
                usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(),
                usual.pushedLife(), registration, Map.of("roles", List.of("roles", "groups")), usual.claims(),
                certificates, usual.certificateAuthorities()))
        .realm();
  }

  private static JsonNode metadata(Realm realm) {
    return OAuthApp.json(new Idp(realm).browser().get(WELL_KNOWN));
  }

  @Test
  void saysWhatTheGoldenFileSays() throws IOException {
    JsonNode said = metadata(realm(Registration.CLOSED, Optional.empty(), GrantType.CODE));
    try (InputStream golden = DiscoveryTest.class.getResourceAsStream("/golden/openid-configuration.json")) {
      assertThat(said.toPrettyString())
          .isEqualTo(JsonMapper.shared().readTree(golden.readAllBytes()).toPrettyString());
    }
  }

  @Test
  void isTheSameAtEveryAddress() {
    TestBrowser browser = new Idp().browser();
    EdgeReply first = browser.get(WELL_KNOWN);
    assertThat(first.headers().first("Access-Control-Allow-Origin")).hasValue("*");
    assertThat(first.headers().first("Cache-Control")).hasValue("public, max-age=900");
    for (String other :
        List.of(
            "/.well-known/oauth-authorization-server/realms/demo",
            "/.well-known/openid-configuration/realms/demo",
            "/realms/demo/.well-known/oauth-authorization-server")) {
      assertThat(browser.get(other).text()).as(other).isEqualTo(first.text());
    }
    assertThat(browser.get("/.well-known/oauth-authorization-server/realms/none").status()).isEqualTo(404);
    assertThat(browser.get("/.well-known/security.txt/realms/demo").status()).isEqualTo(404);
  }

  /** Every member is correct: each named endpoint answers. */
  @Test
  void everyEndpointIsThere() {
    Idp idp = new Idp(realm(Registration.TOKEN, Optional.empty(), GrantType.CODE));
    JsonNode metadata = OAuthApp.json(idp.browser().get(WELL_KNOWN));
    Set<String> paths =
        idp.routes().stream().map(route -> Idp.ENTITY + "/" + route.path()).collect(Collectors.toSet());
    assertThat(metadata.propertyStream())
        .filteredOn(member -> member.getKey().matches(".*_(endpoint|uri|iframe)"))
        .hasSize(11)
        .allSatisfy(member -> assertThat(paths).contains(member.getValue().asString()));
  }

  @Test
  void whatIsOffIsNotNamed() {
    JsonNode strict = metadata(realm(Registration.CLOSED, Optional.empty(), GrantType.CODE));
    assertThat(strict.path("response_types_supported").toString()).isEqualTo("[\"code\"]");
    assertThat(strict.path("grant_types_supported").toString()).doesNotContain("implicit", "password");
    assertThat(strict.has("registration_endpoint")).isFalse();
    assertThat(strict.has("mtls_endpoint_aliases")).isFalse();
    assertThat(strict.path("token_endpoint_auth_methods_supported").toString()).doesNotContain("tls");

    JsonNode legacy =
        metadata(
            realm(
                Registration.LOOPBACK, Optional.of(URI.create("https://id.example:8445")), GrantType.CODE,
                GrantType.PASSWORD, GrantType.IMPLICIT, GrantType.HYBRID));
    assertThat(legacy.path("response_types_supported").size()).isEqualTo(7);
    assertThat(legacy.path("grant_types_supported").toString()).contains("implicit", "password");
    assertThat(legacy.path("registration_endpoint").asString()).isEqualTo(Idp.ENTITY + "/connect/register");
    assertThat(legacy.path("mtls_endpoint_aliases").path("token_endpoint").asString())
        .isEqualTo("https://id.example:8445/realms/demo/oauth/token");
    assertThat(legacy.path("token_endpoint_auth_methods_supported").toString())
        .contains("tls_client_auth", "self_signed_tls_client_auth");
  }
}
