package dev.gatehouse.common.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metadata in the form of other products ({@code saml-metadata/}), with certificates of ours, and damaging changes. */
class MetadataOfProductsTest {

  private static final String SHIBBOLETH_SP = "https://sp.example.edu/shibboleth";
  private static final String SIMPLESAMLPHP = "https://php.example.org/simplesaml/saml2/idp/metadata.php";
  private static final String FEDERATED = "https://idp.example.edu/idp/shibboleth";

  private final MetadataCodec codec = new CanonicalMetadataCodec();

  /** With extensions of six kinds; of a chain the first certificate counts. */
  @Test
  void shibbolethServiceProvider() throws Exception {
    PartnerMetadata metadata = accepted(sample("shibboleth-sp"), SHIBBOLETH_SP);

    var sp = metadata.sp().orElseThrow();
    String url = "https://sp.example.edu/Shibboleth.sso";
    assertThat(metadata.displayName()).contains("Library South");
    assertThat(sp.signing()).containsExactly(SamlFixtures.spKey().certificate());
    assertThat(sp.authnRequestsSigned()).isTrue();
    assertThat(sp.wantAssertionsSigned()).isFalse();
    assertThat(DefaultConsumer.of(sp.assertionConsumers()))
        .contains(new PartnerMetadata.AssertionConsumerService(1, false, Binding.POST, url + "/SAML2/POST"));
    assertThat(sp.sso().singleLogout())
        .contains(new PartnerMetadata.Endpoint(Binding.REDIRECT, url + "/SLO/Redirect", Optional.empty()));
    assertThat(metadata.idp()).isEmpty();
  }

  /** In the middle of a change of its key: both count. */
  @Test
  void simpleSamlPhp() throws Exception {
    var idp = accepted(sample("simplesamlphp"), SIMPLESAMLPHP).idp().orElseThrow();

    assertThat(idp.signing())
        .containsExactly(SamlFixtures.idpKey().certificate(), SamlFixtures.spKey().certificate());
    assertThat(idp.sso().singleLogout().getFirst().locationForResponses())
        .isEqualTo("https://php.example.org/simplesaml/saml2/idp/SingleLogoutResponse.php");
    assertThat(idp.singleSignOn()).hasSize(1);
  }

  /** An unreadable member does not affect the other members. */
  @Test
  void aggregateOfFederation() throws Exception {
    PartnerMetadata metadata = accepted(sample("aggregate"), FEDERATED);

    assertThat(metadata.validUntil()).contains(Instant.parse("2026-12-05T06:00:00Z"));
    assertThat(metadata.cacheDuration()).as("the shortest").contains(Duration.ofHours(6));
    assertThat(metadata.displayName()).contains("Universität");
    var idp = metadata.idp().orElseThrow();
    assertThat(idp.signing()).as("a bare KeyValue does not count").containsExactly(SamlFixtures.idpKey().certificate());
    assertThat(idp.singleSignOn()).extracting(PartnerMetadata.Endpoint::binding).containsExactly(Binding.POST);
    assertThat(metadata.sp()).isEmpty();
    assertThat(refused(sample("aggregate"), "https://broken.example.edu/idp")).isEqualTo(SamlRefusal.Reason.SCHEMA);
  }

  /** Changes by editors and mail programs do not change the content. */
  @ParameterizedTest
  @CsvSource({
    "shibboleth-sp," + SHIBBOLETH_SP,
    "simplesamlphp," + SIMPLESAMLPHP,
    "aggregate," + FEDERATED
  })
  void lineEndsByteOrderMarkCommentsAndCharacterData(String name, String entityId) throws Exception {
    String sample = sample(name);
    PartnerMetadata expected = accepted(sample, entityId);

    for (String form :
        List.of(
            sample.replace("\n", "\r\n"),
            "\uFEFF" + sample,
            sample
                .replaceAll("(?<=:nameid-format:)(?=\\w)", "<!-- a comment -->")
                .replace("</", "<!-- and one more --></"),
            sample.replaceAll("(nameid-format:\\w+)(?=<)", "<![CDATA[$1]]>"))) {
      assertThat(accepted(form, entityId)).isEqualTo(expected);
    }
  }

  /** Values that OpenSAML alone would read dangerously: no time, a year alone, a flag in another case. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "entityID=           | validUntil='' entityID=",
        "entityID=           | validUntil='2027' entityID=",
        "entityID=           | cacheDuration='soon' entityID=",
        "AuthnRequestsSigned=\"1\" | AuthnRequestsSigned=\"True\"",
        "md:KeyDescriptor>   | md:KeyDescriptor use=\"both\">",
        "index=\"2\"         | index=\"-2\"",
        "index=\"2\"         | index=\"65536\"",
        "index=\"2\"         | index=\"two\"",
      })
  void malformedValues(String text, String by) throws Exception {
    String sample = sample("shibboleth-sp").replace("bindings:HTTP-POST-SimpleSign", "bindings:HTTP-POST");
    accepted(sample, SHIBBOLETH_SP);
    String changed = sample.replaceFirst(text, by);

    assertThat(changed).isNotEqualTo(sample);
    assertThat(refused(changed, SHIBBOLETH_SP)).isEqualTo(SamlRefusal.Reason.SCHEMA);
  }

  private static String sample(String name) throws IOException, CertificateEncodingException {
    try (InputStream in = MetadataOfProductsTest.class.getResourceAsStream("/saml-metadata/" + name + ".xml")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8)
          .replace("IDP-CERTIFICATE", base64(SamlFixtures.idpKey()))
          .replace("SP-CERTIFICATE", base64(SamlFixtures.spKey()))
          .replace("STRANGER-CERTIFICATE", base64(SamlFixtures.strangerKey()));
    }
  }

  private static String base64(SigningKey key) throws CertificateEncodingException {
    return Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.certificate().getEncoded());
  }

  private PartnerMetadata accepted(String document, String entityId) {
    return switch (read(document, entityId)) {
      case Result.Accepted(var metadata) -> metadata;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  private SamlRefusal.Reason refused(String document, String entityId) {
    return switch (read(document, entityId)) {
      case Result.Accepted(var metadata) -> throw new AssertionError(metadata);
      case Result.Refused(var refusal) -> refusal.reason();
    };
  }

  private Result<PartnerMetadata, SamlRefusal> read(String document, String entityId) {
    return codec.read(document.getBytes(StandardCharsets.UTF_8), entityId, Optional.empty(), SamlFixtures.NOW);
  }
}
