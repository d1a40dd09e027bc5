package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import dev.gatehouse.common.realm.ContractsConfig.Passkeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code idp.contracts.passkeys} may say, and its mistakes. */
class PasskeysYamlTest {

  private static final String MODEL = "2fc0579f-8113-47ea-b116-bb5a8db9202a";

  @TempDir private Path path;

  private ConfigurationFolder folder(String url, String passkeys) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    return folder
        .node("trustedProxies: [192.0.2.9]\n")
        .demo(
            ConfigurationFolder.MINIMAL
                .replace("idp:\n  publicUrl: http", "idp:\n  contracts: {passkeys: " + passkeys + "}\n  publicUrl: http")
                .replace("http://idp.localhost:8080", url));
  }

  private Passkeys read(String url, String passkeys) {
    return folder(url, passkeys).realm().idp().orElseThrow().contracts().passkeys().orElseThrow();
  }

  private void wrong(String url, String passkeys, String... words) {
    assertThat(folder(url, passkeys).problems()).anySatisfy(problem -> assertThat(problem.toString()).contains(words));
  }

  @Test
  void passkeysAreOfTheHostUnlessConfigured() {
    assertThat(read("https://id.example.org", "{}")).isEqualTo(new Passkeys("id.example.org"));
    assertThat(read("https://id.example.org", "{rpId: example.org}").rpId()).isEqualTo("example.org");
  }

  @Test
  void anotherDomainNeedsRelatedOrigins() {
    wrong("https://id.example.com", "{rpId: id.example.org}", "rpId", "if it is the former host, add https://id.example.com to relatedOrigins");
    wrong("https://id.example.com", "{rpId: id.example.org, relatedOrigins: [https://id.example.net]}", "rpId", "former host");
    wrong("https://id.example.com", "{relatedOrigins: [\"http://id.example.net\"]}", "relatedOrigins", "use https");
    wrong("https://id.example.org", "{rpId: org}", "rpId", "is not the host of idp.publicUrl");
    assertThat(read("https://id.example.com", "{rpId: id.example.org, relatedOrigins: [https://id.example.com]}").rpId())
        .isEqualTo("id.example.org");
  }

  @Test
  void browsersMakePasskeysForNamesOnly() {
    wrong("https://192.0.2.1", "{}", "passkeys", "is an address");
  }

  @Test
  void aPartnerMayDemandAPasskeyWherePeopleCanHaveAStrongOne() {
    String partner = "release: [uid, mail, roles, groups]";
    String demanding = "contract: passkey\n    " + partner;
    assertThat(folder("https://id.example.org", "{}").demo(read().replace(partner, demanding)).realm().idp()).isPresent();
    assertThat(folder("https://id.example.org", "{}, secondFactor: 'off'").demo(read().replace(partner, demanding)).problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains("contract", "is passkey, which the idp does not offer"));
    assertThat(ConfigurationFolder.minimal(path).demo(partner, demanding).problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains("contract", "is passkey, which the idp does not offer"));
  }

  private String read() {
    try {
      return Files.readString(path.resolve("realms/demo.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void modelsAreReadFromEntriesOfTheMetadataService() throws CertificateEncodingException {
    PeopleCa maker = PeopleCa.create("CN=Keys Root", Instant.parse("2026-11-27T09:00:00Z"));
    String root = Base64.getEncoder().encodeToString(maker.certificate().getEncoded());
    models(entry(MODEL, root, "FIDO_CERTIFIED_L2"));
    assertThat(read("https://id.example.org", "{attestation: keys.json}").models())
        .containsExactly(new AuthenticatorModel(UUID.fromString(MODEL), List.of(maker.certificate())));
    models(entry(MODEL, root, "USER_KEY_REMOTE_COMPROMISE"));
    wrong("https://id.example.org", "{attestation: keys.json}", "keys.json", "status USER_KEY_REMOTE_COMPROMISE: " + MODEL, "take it out");
    models(entry(MODEL, root, "REVOKED"));
    wrong("https://id.example.org", "{attestation: keys.json}", "status REVOKED");
    models(entry(MODEL, root, "FIDO_CERTIFIED") + "," + entry(MODEL, root, "FIDO_CERTIFIED"));
    wrong("https://id.example.org", "{attestation: keys.json}", "two entries with aaguid " + MODEL);
    models(entry("not-one", root, "FIDO_CERTIFIED"));
    wrong("https://id.example.org", "{attestation: keys.json}", "without aaguid");
    models(entry(MODEL, "AAAA", "FIDO_CERTIFIED"));
    wrong("https://id.example.org", "{attestation: keys.json}", "no certificate in attestationRootCertificates of aaguid " + MODEL);
    models("{\"aaguid\":\"" + MODEL + "\",\"metadataStatement\":{}}");
    wrong("https://id.example.org", "{attestation: keys.json}", "no attestationRootCertificates for aaguid");
    models("{\"aaguid\":\"" + MODEL + "\"}");
    wrong("https://id.example.org", "{attestation: keys.json}", "no metadataStatement");
    models("");
    wrong("https://id.example.org", "{attestation: keys.json}", "has no list \"entries\"");
    ConfigurationFolder.minimal(path).write("realms/keys.json", "eyJhbGciOiJSUzI1NiJ9.e30.AA");
    wrong("https://id.example.org", "{attestation: keys.json}", "has no list \"entries\"");
    wrong("https://id.example.org", "{attestation: missing.json}", "cannot read the file");
  }

  private void models(String entries) {
    ConfigurationFolder.minimal(path).write("realms/keys.json", "{\"legalHeader\":\"-\",\"no\":3,\"entries\":[" + entries + "]}");
  }

  private static String entry(String aaguid, String root, String status) {
    return "{\"aaguid\":\"" + aaguid + "\",\"statusReports\":[{\"status\":\"" + status + "\",\"effectiveDate\":\"2026-01-01\"}],"
        + "\"metadataStatement\":{\"description\":\"Key 5\",\"attestationRootCertificates\":[\"" + root + "\"]}}";
  }
}
