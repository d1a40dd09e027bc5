package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.realm.file.SchemaViolations;
import dev.gatehouse.gateway.docs.Page.Kind;
import dev.gatehouse.gateway.docs.Page.Mark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Configurations that people copy from the guides have no problem. A guide shows the keys that it is about: each of them is
 * put in place of the same key of a whole configuration.
 */
class GuideConfigurationsTest {

  private static final String NODE =
      """
      listeners:
        idp: {port: 8444, certificate: tls/login.pem, privateKey: tls/login.key}
        gateway: {port: 8443, certificate: tls/app.pem, privateKey: tls/app.key, clientCertificates: {ca: tls/people-ca.pem}}
        certificateLogin: {port: 8445, certificate: tls/login.pem, privateKey: tls/login.key}
      """;

  private static final String REALM =
      """
      idp:
        publicUrl: https://login.example.org
      directory:
        urls: [ldaps://ldap1.example.org]
        base: ou=people,dc=example,dc=org
      sp:
        publicUrl: https://app.example.org
      partners:
        - entityId: https://login.example.org/realms/example
        - entityId: https://app.example.org/.gatehouse/saml/metadata
          release: [uid, mail, roles, groups]
      routes:
        - {path: /, upstream: "http://127.0.0.1:9000"}
      """;

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "LDAP_PASSWORD", "an LDAP password", "APP_PASSWORD", "an app's password", "WIKI_SECRET", "a wiki's rather long secret 1",
          "ACCOUNTS_SECRET", "a provider's rather long secret 2", "SMTP_PASSWORD", "a mail server's password");

  private static final Pattern KEY = Pattern.compile("(?m)^([a-zA-Z]+):");
  private static final Pattern PARTNER = Pattern.compile("(?m)^  - entityId: (\\S+)\\n(?:    .*\\n)*");
  private static final Pattern NAMED_FILE = Pattern.compile("(?<![\\w./-])[a-z][\\w/-]*\\.(?:pem|key|html|json)\\b");

  private final PeopleCa authority = PeopleCa.create("CN=An authority", Instant.now());
  private final PeopleCa.Issued issued = authority.issue(PeopleCa.CertificateSpec.of("CN=app.example.org", PeopleCa.host("app.example.org")));

  @TempDir private Path folder;

  static Stream<Mark> configurations() {
    return Page.all().stream()
        .flatMap(page -> page.marks().stream())
        .filter(mark -> mark.kind() == Kind.TESTED && mark.language().equals("yaml"));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aConfigurationOfAGuideHasNoProblem(Mark shown) throws IOException, CertificateEncodingException, JOSEException {
    boolean node = shown.text().startsWith("# gatehouse.yaml");
    assertThat(node || shown.text().startsWith("# realms/")).as(shown.place() + " says which file it is").isTrue();
    write("gatehouse.yaml", node ? merged(NODE, shown.text()) : NODE);
    write("realms/example.yaml", node ? REALM : merged(REALM, withOurPartners(shown.text())));

    assertThat(new ConfigurationFiles(folder, ENVIRONMENT).check().problems()).as(shown.place()).isEmpty();
    assertThat(SchemaViolations.of(folder)).as(shown.place()).isEmpty();
  }

  /** A list of partners in a guide holds those that it is about, besides the two of our own. */
  private static String withOurPartners(String shown) {
    StringBuilder ours = new StringBuilder();
    Matcher partner = PARTNER.matcher(REALM);
    while (partner.find()) {
      if (!shown.contains("entityId: " + partner.group(1) + "\n")) {
        ours.append(partner.group());
      }
    }
    return shown.replace("\npartners:\n", "\npartners:\n" + ours);
  }

  private static String merged(String whole, String shown) {
    Map<String, String> sections = new LinkedHashMap<>(sections(whole));
    sections.putAll(sections(shown));
    return String.join("", sections.values());
  }

  /** What stands below each key of the top level, the key included. */
  private static Map<String, String> sections(String yaml) {
    Map<String, String> sections = new LinkedHashMap<>();
    Matcher key = KEY.matcher(yaml);
    List<Integer> starts = key.results().map(MatchResult::start).toList();
    for (int i = 0; i < starts.size(); i++) {
      String section = yaml.substring(starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : yaml.length());
      sections.put(section.substring(0, section.indexOf(':')), section);
    }
    return sections;
  }

  /** The file, and beside it every file that it names. */
  private void write(String name, String text) throws IOException, CertificateEncodingException, JOSEException {
    Path file = folder.resolve(name);
    place(file, text);
    Matcher named = NAMED_FILE.matcher(text);
    while (named.find()) {
      place(file.resolveSibling(named.group()), content(named.group()));
    }
  }

  private static void place(Path file, String text) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
  }

  private String content(String name) throws CertificateEncodingException, JOSEException {
    if (name.endsWith("ca.pem")) {
      return PeopleCa.pem("CERTIFICATE", authority.certificate().getEncoded());
    }
    return switch (name.substring(name.lastIndexOf('.'))) {
      case ".pem" -> PeopleCa.pem("CERTIFICATE", issued.certificate().getEncoded());
      case ".key" -> PeopleCa.pem("PRIVATE KEY", issued.privateKey().getEncoded());
      case ".json" -> jwks();
      default -> "<!doctype html><title>{{status}}</title><p>{{reference}}\n";
    };
  }

  private static String jwks() throws JOSEException {
    return new JWKSet(new ECKeyGenerator(Curve.P_256).keyID("1").keyUse(KeyUse.SIGNATURE).generate().toPublicJWK()).toString();
  }
}
