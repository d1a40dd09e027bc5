package dev.gatehouse.common.saml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A second opinion on what we sign: the xmlsec1 tool, which shares no code with us, verifies it. */
class Xmlsec1Test {

  private static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion:Assertion";
  private static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol:";

  private final SamlWriter writer = new CanonicalSamlWriter();

  @TempDir Path folder;

  @BeforeAll
  static void needsXmlsec1() throws InterruptedException {
    boolean there;
    try {
      there = run(List.of("xmlsec1", "--version")) == 0;
    } catch (IOException e) {
      there = false;
    }
    if ("true".equals(System.getenv("CI"))) {
      assertThat(there).as("xmlsec1 is installed where nothing may be skipped").isTrue();
    }
    Assumptions.assumeTrue(there, "xmlsec1 is not installed (apt-get install xmlsec1)");
  }

  static List<SigningKey> keys() {
    return List.of(SamlFixtures.idpKey(), SamlFixtures.idpP256Key());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void assertion(SigningKey key) throws Exception {
    verify(response(key, SamlWriter.Signed.ASSERTION), "Assertion", ASSERTION, key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void response(SigningKey key) throws Exception {
    verify(response(key, SamlWriter.Signed.RESPONSE), PROTOCOL + "Response", PROTOCOL + "Response", key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void responseAroundSignedAssertion(SigningKey key) throws Exception {
    verify(response(key, SamlWriter.Signed.BOTH), PROTOCOL + "Response", PROTOCOL + "Response", key);
  }

  @ParameterizedTest
  @MethodSource("keys")
  void logoutRequest(SigningKey key) throws Exception {
    var form =
        writer.post(
            SamlFixtures.logoutRequest("_l1", SamlFixtures.IDP), SamlFixtures.SP_SLO, Optional.empty(), key);
    verify(Base64.getDecoder().decode(form.value()), PROTOCOL + "LogoutRequest", PROTOCOL + "LogoutRequest", key);
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
    verify(metadata, descriptor, descriptor, key);
  }

  /** It decrypts, and what it decrypted verifies, too. Its version in Debian does not know the newer form of RSA-OAEP. */
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
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(SamlFixtures.spKey().privateKey().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    Path key = Files.writeString(folder.resolve("key.pem"), pem);
    Path plain = folder.resolve("plain.xml");

    assertThat(run(List.of("xmlsec1", "--decrypt", "--privkey-pem", key.toString(), "--output", plain.toString(), xml.toString())))
        .isZero();

    assertThat(Files.readString(plain)).contains("alice@example.com</saml2:NameID>");
    verify(Files.readAllBytes(plain), "decrypted Assertion", ASSERTION, SamlFixtures.idpKey());
  }

  private byte[] response(SigningKey key, SamlWriter.Signed signed) {
    var form =
        writer.postResponse(
            SamlFixtures.response(Optional.of("_r1")), SamlFixtures.SP_ACS, Optional.empty(), key, signed);
    return Base64.getDecoder().decode(form.value());
  }

  /** Fails as it should on changed contents, too: a tool that says yes to everything is no second opinion. */
  private void verify(byte[] document, String name, String idElement, SigningKey key) throws Exception {
    assertThat(status(document, idElement, key)).as(name).isZero();
    byte[] changed =
        new String(document, StandardCharsets.UTF_8).replace("2026-11-2", "2027-11-2").getBytes(StandardCharsets.UTF_8);
    assertThat(status(changed, idElement, key)).as("changed " + name).isNotZero();
  }

  private int status(byte[] document, String idElement, SigningKey key) throws Exception {
    Path xml = Files.write(folder.resolve("document.xml"), document);
    String pem =
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(key.certificate().getEncoded())
            + "\n-----END CERTIFICATE-----\n";
    Path certificate = Files.writeString(folder.resolve("certificate.pem"), pem);
    List<String> command = new ArrayList<>(List.of("xmlsec1", "--verify", "--id-attr:ID", idElement));
    command.addAll(List.of("--pubkey-cert-pem", certificate.toString(), xml.toString()));
    return run(command);
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("xmlsec1 does not answer");
    }
    return process.exitValue();
  }
}
