package dev.gatehouse.common.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Everything that descriptors can carry beyond sign-on: keys for encryption, back channels, requested attributes, UI.
 */
public class RichMetadataTest {

  private static final String LOGO = "data:image/png;base64,iVBORw0KGgo=";
  private static final UiInfo UI =
      new UiInfo(
          Map.of("en", "Library <South>"),
          Map.of("en", "Books & more"),
          List.of(
              new UiInfo.Logo("https://sp.example/logo.png", 64, 32, Optional.of("en")),
              new UiInfo.Logo(LOGO, 16, 16, Optional.empty())),
          Map.of("de", "https://sp.example/datenschutz"),
          Map.of("en", "https://sp.example/about"));

  private final MetadataCodec codec = new CanonicalMetadataCodec();

  public static byte[] idp() {
    return new CanonicalMetadataCodec().writeIdp(
        new MetadataCodec.IdpDescriptor(
            SamlFixtures.IDP, UI, SamlFixtures.NOW.plus(Duration.ofDays(7)), Duration.ofHours(4), true,
            List.of(SamlFixtures.publicHalf(SamlFixtures.idpKey()), SamlFixtures.publicHalf(SamlFixtures.idpP256Key())),
            List.of(SamlFixtures.publicHalf(SamlFixtures.strangerKey())),
            List.of(new Endpoint(Binding.REDIRECT, SamlFixtures.IDP_SSO, Optional.empty())),
            new PartnerMetadata.SsoDescriptor(List.of(new Endpoint(Binding.SOAP, SamlFixtures.IDP_SLO + "/soap", Optional.empty())), List.of(
                new IndexedEndpoint(0, true, Binding.SOAP, SamlFixtures.IDP + "/saml/artifact"),
                new IndexedEndpoint(1, false, Binding.SOAP, "https://node2.example/saml/artifact")),
                List.of(new Endpoint(Binding.POST, SamlFixtures.IDP + "/saml/nameid", Optional.empty())),
                List.of("urn:oasis:names:tc:SAML:2.0:nameid-format:transient")),
            List.of("example.org", "example.com")),
        SamlFixtures.idpKey());
  }

  public static byte[] sp() {
    return new CanonicalMetadataCodec().writeSp(
        new MetadataCodec.SpDescriptor(
            SamlFixtures.SP, UI, SamlFixtures.NOW.plus(Duration.ofDays(7)), Duration.ofHours(4),
            List.of(SamlFixtures.publicHalf(SamlFixtures.spKey())),
            List.of(
                SamlFixtures.publicHalf(SamlFixtures.spKey()), SamlFixtures.publicHalf(SamlFixtures.strangerKey())),
            List.of(
                new AssertionConsumerService(0, true, Binding.POST, SamlFixtures.SP_ACS),
                new AssertionConsumerService(1, false, Binding.ARTIFACT, SamlFixtures.SP_ACS)),
            new PartnerMetadata.SsoDescriptor(List.of(new Endpoint(Binding.SOAP, SamlFixtures.SP_SLO + "/soap", Optional.empty())),
                List.of(new IndexedEndpoint(3, false, Binding.SOAP, "https://app.example/.gatehouse/saml/artifact")),
                List.of(new Endpoint(Binding.SOAP, "https://app.example/.gatehouse/saml/nameid/soap", Optional.empty())), List.of()),
            List.of(requests())),
        SamlFixtures.spKey());
  }

  private static AttributeConsumingService requests() {
    return new AttributeConsumingService(
        0,
        true,
        Map.of("en", "Library"),
        List.of(
            new RequestedAttribute("mail", SamlAttribute.BASIC, Optional.of("Mail"), true, List.of()),
            new RequestedAttribute("role", SamlAttribute.UNSPECIFIED, Optional.empty(), false, List.of("a", "b & c"))));
  }

  @Test
  void anIdentityProviderComesBackWhole() {
    IdpRole idp = accepted(idp(), SamlFixtures.IDP).idp().orElseThrow();

    assertThat(idp.signing()).hasSize(2);
    assertThat(idp.encryption())
        .containsExactly(
            new EncryptionKey(
                SamlFixtures.strangerKey().certificate(), ContentCipher.AES_256_GCM, KeyTransport.RSA_OAEP_SHA256));
    assertThat(idp.sso().singleLogout()).extracting(Endpoint::binding).containsExactly(Binding.SOAP);
    assertThat(idp.sso().artifactResolution())
        .containsExactly(
            new IndexedEndpoint(0, true, Binding.SOAP, SamlFixtures.IDP + "/saml/artifact"),
            new IndexedEndpoint(1, false, Binding.SOAP, "https://node2.example/saml/artifact"));
    assertThat(idp.sso().manageNameId())
        .containsExactly(new Endpoint(Binding.POST, SamlFixtures.IDP + "/saml/nameid", Optional.empty()));
    assertThat(idp.scopes()).containsExactly("example.org", "example.com");
    assertThat(idp.ui()).isEqualTo(UI);
  }

  @Test
  void aServiceProviderComesBackWhole() {
    PartnerMetadata metadata = accepted(sp(), SamlFixtures.SP);
    SpRole sp = metadata.sp().orElseThrow();

    assertThat(sp.encryption())
        .extracting(EncryptionKey::certificate)
        .containsExactly(SamlFixtures.spKey().certificate(), SamlFixtures.strangerKey().certificate());
    assertThat(sp.assertionConsumers())
        .contains(new AssertionConsumerService(1, false, Binding.ARTIFACT, SamlFixtures.SP_ACS));
    assertThat(sp.sso().artifactResolution()).extracting(IndexedEndpoint::index).containsExactly(3);
    assertThat(sp.sso().manageNameId()).extracting(Endpoint::binding).containsExactly(Binding.SOAP);
    assertThat(sp.attributeConsumers()).containsExactly(requests());
    assertThat(sp.attributeConsumer(Optional.of(7))).isEmpty();
    assertThat(sp.attributeConsumer(Optional.empty())).contains(requests());
    assertThat(sp.ui()).isEqualTo(UI);
    assertThat(metadata.displayName()).contains("Library <South>");
    assertThat(metadata.notes()).isEmpty();
  }

  @Test
  void aScopeThatIsAPatternDoesNotCountAndIsNoted() {
    String document = text(idp()).replaceFirst("regexp=\"false\">example.org", "regexp=\"true\">.*");

    PartnerMetadata metadata = accepted(bytes(document), SamlFixtures.IDP);

    assertThat(metadata.idp().orElseThrow().scopes()).containsExactly("example.com");
    assertThat(metadata.notes()).singleElement().asString().contains("regular expression");
  }

  /** SECURITY-CASES 7: a partner that supports only ciphers usable as oracles gets nothing encrypted. */
  @ParameterizedTest
  @CsvSource({
    "http://www.w3.org/2001/04/xmlenc#aes128-cbc http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p",
    "http://www.w3.org/2009/xmlenc11#aes128-gcm http://www.w3.org/2001/04/xmlenc#rsa-1_5",
    "http://www.w3.org/2001/04/xmlenc#tripledes-cbc",
  })
  void aKeyWithWeakMethodsAloneIsPassedOver(String algorithms) {
    PartnerMetadata metadata = withMethods(algorithms);

    assertThat(metadata.idp().orElseThrow().encryption()).isEmpty();
    assertThat(metadata.notes()).singleElement().asString().contains("AES-GCM");
  }

  @ParameterizedTest
  @CsvSource({
    "http://www.w3.org/2001/04/xmlenc#aes256-cbc http://www.w3.org/2009/xmlenc11#aes256-gcm,AES_256_GCM,RSA_OAEP_MGF1P",
    "http://www.w3.org/2001/04/xmlenc#rsa-1_5 http://www.w3.org/2009/xmlenc11#rsa-oaep,AES_128_GCM,RSA_OAEP_SHA256",
    "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p,AES_128_GCM,RSA_OAEP_MGF1P",
    "'',AES_128_GCM,RSA_OAEP_MGF1P",
  })
  void theFirstGoodMethodIsTaken(String algorithms, ContentCipher content, KeyTransport transport) {
    EncryptionKey key = withMethods(algorithms).idp().orElseThrow().encryption().getFirst();

    assertThat(key.content()).isEqualTo(content);
    assertThat(key.transport()).isEqualTo(transport);
  }

  private PartnerMetadata withMethods(String algorithms) {
    StringBuilder methods = new StringBuilder();
    for (String algorithm : algorithms.split(" ")) {
      methods.append(algorithm.isEmpty() ? "" : "<md:EncryptionMethod Algorithm='" + algorithm + "'/>");
    }
    String document = text(idp()).replaceFirst("<md:EncryptionMethod.*</md:EncryptionMethod>", methods.toString());
    return accepted(bytes(document), SamlFixtures.IDP);
  }

  @Test
  void aKeyForEncryptionThatIsNotRsaIsPassedOver() throws CertificateEncodingException {
    String p256 = Base64.getEncoder().encodeToString(SamlFixtures.idpP256Key().certificate().getEncoded());
    String document = text(idp()).replaceFirst(
        "(use=\"encryption\".*?<ds:X509Certificate>)[^<]*", "$1" + java.util.regex.Matcher.quoteReplacement(p256));

    PartnerMetadata metadata = accepted(bytes(document), SamlFixtures.IDP);

    assertThat(metadata.idp().orElseThrow().encryption()).isEmpty();
    assertThat(metadata.notes()).singleElement().asString().contains("RSA");
  }

  /** Pages display them: values that a browser could execute, or that mislead people, are ignored individually. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)", "http://sp.example/logo.png", "data:text/html;base64,PGI+", "data:image/png,<svg>",
        "//host/logo.png", "https://a@b.example/", "", "ftp://host/logo.png"
      })
  void unsafeLogosAreLeftOut(String url) {
    String document = text(sp()).replace("https://sp.example/logo.png", url.replace("<", "&lt;"));

    UiInfo ui = accepted(bytes(document), SamlFixtures.SP).sp().orElseThrow().ui();

    assertThat(ui.logos()).containsExactly(new UiInfo.Logo(LOGO, 16, 16, Optional.empty()));
    assertThat(ui.names()).isEqualTo(UI.names());
  }

  @ParameterizedTest
  @ValueSource(strings = {"javascript:alert(1)", "data:text/html,x", "https://u:p@h.example/", "relative", ""})
  void unsafeLinksAreLeftOut(String url) {
    String document = text(sp()).replace("https://sp.example/datenschutz", url);

    assertThat(accepted(bytes(document), SamlFixtures.SP).sp().orElseThrow().ui().privacyUrls()).isEmpty();
  }

  @Test
  void namesAreOneLineOfVisibleCharacters() {
    String document = text(sp()).replace("Library &lt;South&gt;", " A\u202E  B\n\tC\u200B" + "x".repeat(2000));

    assertThat(accepted(bytes(document), SamlFixtures.SP).displayName())
        .hasValueSatisfying(name -> assertThat(name).startsWith("A B Cx").hasSize(1000));
  }

  @ParameterizedTest
  @CsvSource({"0,16", "-1,16", "1e9,16", "99999,16", "'',16"})
  void malformedSizesAreLeftOut(String width) {
    String document = text(sp()).replace("width=\"64\"", "width=\"" + width + "\"");

    assertThat(accepted(bytes(document), SamlFixtures.SP).sp().orElseThrow().ui().logos()).hasSize(1);
  }

  @Test
  void textsAreFoundByLanguage() {
    Map<String, String> texts = Map.of("de-at", "AT", "en", "EN", "fr", "FR");

    assertThat(UiInfo.in("de", texts)).contains("AT");
    assertThat(UiInfo.in("fr-ch", texts)).contains("FR");
    assertThat(UiInfo.in("it", texts)).contains("EN");
    assertThat(UiInfo.in("it", Map.of("fr", "FR"))).contains("FR");
    assertThat(UiInfo.in("it", Map.of())).isEmpty();
  }

  private PartnerMetadata accepted(byte[] document, String entityId) {
    return switch (codec.read(document, entityId, Optional.empty(), SamlFixtures.NOW)) {
      case Result.Accepted(var metadata) -> metadata;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  private static String text(byte[] document) {
    return new String(document, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String document) {
    return document.getBytes(StandardCharsets.UTF_8);
  }
}
