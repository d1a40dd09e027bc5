package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.encryption.ContentCipher;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.encryption.KeyTransport;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.MetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A second opinion on what we sign: the xmlsec1 tool, which shares no code with us, verifies it. */
class Xmlsec1Test {

  private final SamlWriter writer = new CanonicalSamlWriter();

  @TempDir Path folder;

  @BeforeAll
  static void needsXmlsec1() throws InterruptedException {
    Xmlsec1.isThere();
  }

  static List<SigningKey> keys() {
    return List.of(SamlFixtures.idpKey(), SamlFixtures.idpP256Key());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void assertion(SigningKey key) throws Exception {
    verify(response(key, SamlWriter.Signed.ASSERTION), Xmlsec1.ASSERTION, key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void response(SigningKey key) throws Exception {
    verify(response(key, SamlWriter.Signed.RESPONSE), Xmlsec1.PROTOCOL + "Response", key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void responseAroundSignedAssertion(SigningKey key) throws Exception {
    verify(response(key, SamlWriter.Signed.BOTH), Xmlsec1.PROTOCOL + "Response", key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void logoutRequest(SigningKey key) throws Exception {
    var form =
        writer.post(
            SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP), SamlFixtures.SP_SLO, Optional.empty(), key);
    verify(Base64.getDecoder().decode(form.value()), Xmlsec1.PROTOCOL + "LogoutRequest", key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void manageNameIdRequest(SigningKey key) throws Exception {
    var change = new SamlMessage.ManageNameIdRequest.Change.NewId("größer & <neu>");
    byte[] envelope = writer.soap(SamlFixtures.manageNameIdRequest("_m1", SamlFixtures.IDP, change), key);
    verify(envelope, Xmlsec1.PROTOCOL + "ManageNameIDRequest", key);
  }

  /** Three signatures, one inside the other, in an envelope: each holds by itself. */
  @ParameterizedTest
  @MethodSource("keys")
  void artifactResponse(SigningKey key) throws Exception {
    var response = SamlFixtures.response(Optional.of("_r1"));
    var outer =
        new SamlMessage.ArtifactResponse(
            "_a2", SamlFixtures.NOW, SamlFixtures.IDP, Optional.empty(), Optional.of("_a1"), SamlStatus.success());
    var carried = Optional.of(writer.write(response, key, SamlWriter.Signed.BOTH));
    byte[] envelope = writer.soap(outer, carried, key);
    verify(envelope, Xmlsec1.PROTOCOL + "ArtifactResponse", key);
    verify(envelope, Xmlsec1.PROTOCOL + "Response", key);
    verify(envelope, Xmlsec1.ASSERTION, key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void metadata(SigningKey key) throws Exception {
    byte[] metadata =
        new CanonicalMetadataCodec()
            .writeIdp(
                new MetadataCodec.IdpDescriptor(
                    SamlFixtures.IDP, "Größe & <Zeichen>", SamlFixtures.NOW.plus(Duration.ofDays(7)),
                    Duration.ofHours(4),
                    List.of(SamlFixtures.publicHalf(key)),
                    List.of(new PartnerMetadata.Endpoint(Binding.REDIRECT, SamlFixtures.IDP_SSO, Optional.empty())),
                    List.of(), List.of("urn:oasis:names:tc:SAML:2.0:nameid-format:transient")),
                key);
    String descriptor = "urn:oasis:names:tc:SAML:2.0:metadata:EntityDescriptor";
    verify(metadata, descriptor, key);
  }

  /**
   * It decrypts, and what it decrypted verifies, too. Its version in Debian does not know the newer form of RSA-OAEP.
   */
  @ParameterizedTest
  @EnumSource(ContentCipher.class)
  void encryptedAssertion(ContentCipher cipher) throws Exception {
    var to = new EncryptionKey(SamlFixtures.spKey().certificate(), cipher, KeyTransport.RSA_OAEP_MGF1P);
    var form =
        writer
            .encrypting(new Encryption(Set.of(Encrypted.ASSERTION), to))
            .postResponse(
                SamlFixtures.response(Optional.of("_r1")), SamlFixtures.SP_ACS, Optional.empty(),
                SamlFixtures.idpKey(), SamlWriter.Signed.ASSERTION);
    Path xml = Files.write(folder.resolve("encrypted.xml"), Base64.getDecoder().decode(form.value()));
    Path plain = folder.resolve("plain.xml");

    assertThat(new Xmlsec1(folder).decrypts(xml, plain, SamlFixtures.spKey())).isTrue();

    assertThat(Files.readString(plain)).contains("alice@example.com</saml2:NameID>");
    verify(Files.readAllBytes(plain), Xmlsec1.ASSERTION, SamlFixtures.idpKey());
  }

  private byte[] response(SigningKey key, SamlWriter.Signed signed) {
    var form =
        writer.postResponse(
            SamlFixtures.response(Optional.of("_r1")), SamlFixtures.SP_ACS, Optional.empty(), key, signed);
    return Base64.getDecoder().decode(form.value());
  }

  /** Fails as it should on changed contents, too: a tool that says yes to everything is no second opinion. */
  private void verify(byte[] document, String element, SigningKey key) throws Exception {
    Xmlsec1 xmlsec1 = new Xmlsec1(folder);
    assertThat(xmlsec1.verifies(document, element, key)).as(element).isTrue();
    byte[] changed =
        new String(document, StandardCharsets.UTF_8).replace("2026-11-2", "2027-11-2").getBytes(StandardCharsets.UTF_8);
    assertThat(xmlsec1.verifies(changed, element, key)).as("changed " + element).isFalse();
  }
}
