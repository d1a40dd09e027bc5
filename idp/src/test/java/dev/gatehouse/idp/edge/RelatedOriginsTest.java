package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RelatedOriginsTest {

  private static Realm realm(String rpId, String... related) {
    ContractsConfig plain = ContractsConfig.FORM_ALONE;
    List<URI> origins = List.of(related).stream().map(URI::create).toList();
    return TestRealms.change(TestRealms.demo())
        .contracts(
            new ContractsConfig(
                false, plain.secondFactor(), plain.totp(), Optional.empty(), Optional.empty(),
                Optional.of(new ContractsConfig.Passkeys(rpId, false, origins)), Optional.empty()))
        .realm();
  }

  @Test
  void theDocumentOfADomainListsItsOriginsOnly() {
    List<Realm> realms =
        List.of(realm("id.example.org", "https://id.example.com", "https://id.example.de:8443"), realm("other.example", "https://other.example.de"));
    EdgeReply reply = RelatedOrigins.at("id.example.org", realms).orElseThrow();
    assertThat(reply.headers().first("Content-Type")).contains("application/json");
    assertThat(reply.text())
        .isEqualTo("{\"origins\":[\"" + TestRealms.IDP + "\",\"https://id.example.com\",\"https://id.example.de:8443\"]}");
  }

  @Test
  void thereIsNoneWhereNothingIsRelated() {
    assertThat(RelatedOrigins.at("id.example.org", List.of(realm("id.example.org"), TestRealms.demo()))).isEmpty();
    assertThat(RelatedOrigins.at("evil.example", List.of(realm("id.example.org", "https://id.example.com")))).isEmpty();
  }
}
