package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Exchange;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Grant;
import dev.gatehouse.common.realm.otp.RealmDocument;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keys of trusted realms of one-time passwords, and their mistakes. */
class VisitorsKeysTest {

  private static final SigningKey OURS = SamlFixtures.idpP256Key();
  private static final SigningKey THEIRS = SamlFixtures.spKey();

  private static final String TOKENS =
      ConfigurationFolder.MINIMAL.replace(
          "  publicUrl: http://idp.localhost:8080\n",
          """
            publicUrl: http://idp.localhost:8080
            contracts: {token: {}}
            oauth: {certificateUrl: "https://idp.localhost:8445"}
          """);

  private static final String OTP =
      """
      otp:
        visitors:
          suffixes: [home.example]
          certificate: otp.pem
          key: otp.key
          serverCa: otp.pem
          trusts:
      """;

  private final ConfigurationFolder folder;

  VisitorsKeysTest(@TempDir Path path) {
    this.folder = ConfigurationFolder.minimal(path);
  }

  private static Document branch(String... suffixes) {
    return new Document(
        List.of(suffixes), URI.create("https://id.branch.example:8445/realms/main/otp/v1"), List.of(THEIRS.certificate()),
        List.of(THEIRS.certificate()));
  }

  @BeforeEach
  void files() throws Exception {
    folder.pem("realms/otp", OURS);
    folder.write("realms/branch.json", text(branch("branch.example", "old.branch.example")));
    folder.node("listeners: {clientCertificates: {certificate: realms/otp.pem, privateKey: realms/otp.key, port: 8445}}\n");
  }

  private static String text(Document document) {
    return new String(RealmDocument.write(document), StandardCharsets.UTF_8);
  }

  @Test
  void everyKey() {
    folder.demo(
        TOKENS
            + OTP.replace("    trusts:\n", "    wholeNames: true\n    trusts:\n")
            + """
                  - document: branch.json
                    suffixes: [branch.example, old.branch.example]
                    roles: [visitor]
                    asked: true
                    told: true
                    perSecond: 5
                    timeout: 1s
                    tells: [mail, department]
                    takes: [phone]
                    grants: [{attribute: department, value: sales, roles: [vpn]}]
              """);
    OtpTrusts otp = folder.realm().parties().otp().orElseThrow();
    assertThat(otp.suffixes()).containsExactly("home.example");
    assertThat(otp.wholeNames()).isTrue();
    assertThat(otp.certificates()).containsExactly(OURS.certificate());
    assertThat(otp.authorities()).containsExactly(OURS.certificate());
    assertThat(otp.key().chain()).containsExactly(OURS.certificate());
    assertThat(otp.key().privateKey().value()).contains("BEGIN PRIVATE KEY");
    assertThat(otp.realms())
        .containsExactly(
            new TrustedRealm(
                List.of("branch.example", "old.branch.example"), branch("branch.example", "old.branch.example"), Set.of("visitor"), true, true, 5,
                Duration.ofSeconds(1),
                new Exchange(Set.of("mail", "department"), Set.of("phone"), List.of(new Grant("department", "sales", Set.of("vpn"))))));
  }

  @Test
  void theDefaultsTellNothing() {
    folder.demo(TOKENS + OTP + "    - {document: branch.json, suffixes: branch.example}\n");
    TrustedRealm branch = folder.realm().parties().otp().orElseThrow().realms().getFirst();
    assertThat(branch)
        .isEqualTo(
            new TrustedRealm(
                List.of("branch.example"), branch("branch.example", "old.branch.example"), Set.of(), false, false, 50, Duration.ofSeconds(3)));
    assertThat(folder.demo(TOKENS + OTP.replace("    trusts:\n", "")).realm().parties().otp().orElseThrow().realms()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {document: branch.json}                                          | write what the names of its people end with
          {suffixes: branch.example}                                       | name the file with what the other realm serves
          {document: branch.json, suffixes: third.example}                 | `third.example` is not in its document
          {document: branch.json, suffixes: home.example}                  | `home.example` is also of this realm
          {document: branch.json, suffixes: Branch.example}                | is not a domain in lower case
          {document: otp.pem, suffixes: branch.example}                    | is not a JSON object
          {document: none.json, suffixes: branch.example}                  | none.json
          {document: branch.json, suffixes: branch.example, timeout: 1m}   | write a duration from 200ms to 10s
          {document: branch.json, suffixes: branch.example, takes: [mail, memberOf]} | say in grants which of its values gives which role
          {document: branch.json, suffixes: branch.example, takes: [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q]} | write at most 16
          {document: branch.json, suffixes: branch.example, grants: [{attribute: a, value: b}]} | the value gives nothing
          {document: own.json, suffixes: branch.example}                   | its certificate is also of this realm
          """)
  void mistakesOfATrust(String trust, String message) {
    folder.write(
        "realms/own.json",
        text(new Document(List.of("branch.example"), branch().url(), List.of(OURS.certificate()), List.of(OURS.certificate()))));
    folder.demo(TOKENS + OTP + "    - " + trust + "\n");
    assertThatThrownBy(folder::load).hasMessageContaining(message);
  }

  @Test
  void twoRealmsShareNeitherSuffixNorCertificate() {
    folder.demo(
        TOKENS + OTP + "    - {document: branch.json, suffixes: branch.example}\n    - {document: branch.json, suffixes: [old.branch.example, branch.example]}\n");
    assertThat(folder.problems())
        .extracting(problem -> problem.message())
        .containsExactlyInAnyOrder("`branch.example` is also of branch.example", "its certificate is also of branch.example");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          suffixes: [home.example]    | suffixes: []      | write what the names of your people end with
          key: otp.key                | key: other.key    | does not match the certificate
          serverCa: otp.pem           | wholeNames: false | name the PEM file of the authority
          """)
  void mistakesOfOurSide(String old, String now, String message) throws Exception {
    folder.pem("realms/other", THEIRS);
    folder.demo(TOKENS + OTP.replace(old, now) + "    - {document: branch.json, suffixes: branch.example}\n");
    assertThatThrownBy(folder::load).hasMessageContaining(message);
  }

  @Test
  void tokensAndAnAddressAreNeeded() {
    folder.demo(ConfigurationFolder.MINIMAL + OTP + "    - {document: branch.json, suffixes: branch.example}\n");
    assertThat(folder.problems())
        .extracting(problem -> problem.message())
        .containsExactlyInAnyOrder("need passcodes, which this realm does not take", "need an address at which other realms show their certificates");
    folder.demo("sp: {publicUrl: http://app.localhost, identityProvider: a:b}\n" + OTP + "    - {document: branch.json, suffixes: branch.example}\n");
    assertThat(folder.problems()).extracting(problem -> problem.message()).contains("need an idp, whose people have tokens");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gatehouse-otp-realm/1  | gatehouse-otp-realm/2 | has not the format
          https:                 | http:                 | has no "url" with https
          "branch.example",      | "a b",                | has a suffix that is no domain
          "certificates":["      | "certificates":["!    | what is no certificate
          "authorities"          | "others"              | has no list "authorities"
          """)
  void mistakesOfADocument(String old, String now, String message) {
    String good = text(branch("branch.example", "old.branch.example"));
    assertThat(good).contains(old);
    folder.write("realms/branch.json", good.replace(old, now));
    folder.demo(TOKENS + OTP + "    - {document: branch.json, suffixes: branch.example}\n");
    assertThatThrownBy(folder::load).hasMessageContaining(message);
  }
}
