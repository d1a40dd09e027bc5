package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.oauth.registration.Registrations;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A client that registers learns no pairwise subjects of a sector that is not its own (OpenID Connect Core 8.1). */
final class RegisteredSectorTest {

  private static final String EVIL = "https://evil.example/cb";
  private static final String VICTIM = "https://victim.example/cb";

  private final Idp idp = CertifiedClient.provider();

  @Test
  void aChangeKeepsTheSector() {
    JsonNode mine = registered("redirect_uris", List.of(EVIL), "subject_type", "pairwise");
    assertThat(error(change(mine, "redirect_uris", List.of(VICTIM), "subject_type", "pairwise")))
        .isEqualTo(
            "400 invalid_client_metadata: the sector cannot change from evil.example to victim.example; register a new client");
    assertThat(change(mine, "redirect_uris", List.of(EVIL + "/other"), "subject_type", "pairwise").status())
        .as("of the same host")
        .isEqualTo(200);
  }

  @Test
  void aChangeKeepsTheSubjectType() {
    JsonNode pairwise = registered("redirect_uris", List.of(EVIL), "subject_type", "pairwise");
    assertThat(error(change(pairwise, "redirect_uris", List.of(EVIL))))
        .isEqualTo("400 invalid_client_metadata: subject_type cannot change from pairwise to public; register a new client");
    JsonNode open = registered("redirect_uris", List.of(EVIL));
    assertThat(error(change(open, "redirect_uris", List.of(EVIL), "subject_type", "pairwise")))
        .isEqualTo("400 invalid_client_metadata: subject_type cannot change from public to pairwise; register a new client");
    assertThat(change(open, "redirect_uris", List.of(VICTIM), "subject_type", "public").status())
        .as("public subjects have no sector")
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.evil.app://victim.example/cb", "victim.example:/cb"})
  void aPrivateSchemeProvesNoSector(String uri) {
    String refused =
        "400 invalid_client_metadata: sector_identifier_uri is missing: the redirect URIs are not all https addresses of one host";
    for (List<String> uris : List.of(List.of(uri), List.of(VICTIM, uri))) {
      assertThat(error(CertifiedClient.registered(idp, "redirect_uris", uris, "subject_type", "pairwise")))
          .as(String.valueOf(uris))
          .isEqualTo(refused);
    }
    assertThat(CertifiedClient.registered(idp, "redirect_uris", List.of(uri)).status()).as("public").isEqualTo(201);
  }

  /** Former versions took the host behind a private scheme, or the scheme itself. */
  @Test
  void aStoredRegistrationThatProvesNoSectorIsNoneAndCannotBeMovedToOne() {
    JsonNode mine = registered("redirect_uris", List.of(EVIL), "subject_type", "pairwise");
    RegisteredClient kept = idp.registeredClients.find("demo", mine.path("client_id").asString()).orElseThrow();
    String former = kept.metadata().replace(EVIL, "victim.example:/cb");
    assertThat(former).isNotEqualTo(kept.metadata());
    idp.registeredClients.change(
        new RegisteredClient(
            kept.realm(), kept.clientId(), former, kept.secret(), kept.accessDigest(), kept.registeredBy(), kept.registeredAt()));
    assertThat(idp.context.getBean(Registrations.class).find(idp.realms.find("demo").orElseThrow(), kept.clientId())).isEmpty();
    assertThat(error(change(mine, "redirect_uris", List.of(VICTIM), "subject_type", "pairwise")))
        .isEqualTo("400 invalid_client_metadata: the present registration proves no sector; register a new client");
  }

  /** A logout token has the person's subject, as it is in the sector. */
  @Test
  void logoutTokensStayInTheSector() {
    String name = "backchannel_logout_uri";
    assertThat(error(CertifiedClient.registered(idp, "redirect_uris", List.of(VICTIM), "subject_type", "pairwise", name, EVIL)))
        .isEqualTo(
            "400 invalid_client_metadata: backchannel_logout_uri would get pairwise subjects at another host than the sector and the "
                + "redirect URIs");
    registered("redirect_uris", List.of(VICTIM), "subject_type", "pairwise", name, "https://victim.example:8443/out");
    registered("redirect_uris", List.of(VICTIM), name, EVIL);
  }

  private JsonNode registered(Object... metadata) {
    return CertifiedClient.register(idp, metadata).registration;
  }

  private EdgeReply change(JsonNode registration, Object... metadata) {
    String clientId = registration.path("client_id").asString();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("client_id", clientId);
    for (int i = 0; i < metadata.length; i += 2) {
      all.put(String.valueOf(metadata[i]), metadata[i + 1]);
    }
    Headers headers =
        Headers.of("Content-Type", "application/json")
            .and("Authorization", "Bearer " + registration.path("registration_access_token").asString());
    return idp.dispatch.handle(
        new EdgeRequest(
            "PUT", Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/connect/register", "client_id=" + clientId, headers,
            StrictJson.write(all).getBytes(StandardCharsets.UTF_8), InetAddress.ofLiteral("127.0.0.1")));
  }

  private static String error(EdgeReply reply) {
    JsonNode error = OAuthApp.json(reply);
    return reply.status() + " " + error.path("error").asString() + ": " + error.path("error_description").asString();
  }
}
