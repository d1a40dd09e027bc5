package dev.gatehouse.idp.otp.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.idp.otp.seed.SeedEntry.Seed;
import dev.gatehouse.idp.otp.seed.SeedEntry.Unusable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PSKC (RFC 6030): the RFC's own files, changed ones, and hostile XML. Each figure was compared with the copy in the tests of python-pskc
 * 1.4; figure 9 has its signature in the namespace that erratum 3418 gives it.
 */
final class PskcFileTest {

  private static final byte[] SECRET = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final TokenType HOTP8 = new TokenType(Kind.HOTP, Hash.SHA1, 8, 0);
  private static final Instant NOW = Instant.parse("2026-11-27T09:00:00Z");
  private static final String KEY = "12345678901234567890123456789012";

  static String figure(int number) throws IOException {
    try (InputStream in = Objects.requireNonNull(PskcFileTest.class.getResourceAsStream("/pskc/rfc6030-figure" + number + ".xml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<SeedEntry> read(String xml, Optional<String> password, Optional<String> key) {
    return PskcFile.read(
        xml.getBytes(StandardCharsets.UTF_8), new PskcSecrets.Unlock(password, key.map(HexFormat.of()::parseHex)), NOW);
  }

  private static List<SeedEntry> read(String xml) {
    return read(xml, Optional.empty(), Optional.empty());
  }

  private static void isTheSecretOfTheExamples(SeedEntry entry) {
    Seed seed = (Seed) entry;
    assertThat(seed.serial()).isEqualTo("987654321");
    assertThat(seed.type()).isEqualTo(HOTP8);
    assertThat(seed.secret()).isEqualTo(SECRET);
    assertThat(seed.counter()).isZero();
    assertThat(seed.expiresAt()).isEmpty();
  }

  @Test
  void figure6IsEncryptedWithAPreSharedKey() throws IOException {
    isTheSecretOfTheExamples(read(figure(6), Optional.empty(), Optional.of(KEY)).getFirst());
    assertThatThrownBy(() -> read(figure(6))).hasMessageContaining("pre-shared key");
  }

  @Test
  void figure7IsEncryptedWithAPassword() throws IOException {
    isTheSecretOfTheExamples(read(figure(7), Optional.of("qwerty"), Optional.empty()).getFirst());
    assertThatThrownBy(() -> read(figure(7))).hasMessageContaining("`password`");
  }

  @Test
  void figure10HasSeveralPackagesWithTheirEnds() throws IOException {
    List<SeedEntry> entries = read(figure(10));
    assertThat(entries).hasSize(4).allMatch(Seed.class::isInstance);
    assertThat(entries).extracting(SeedEntry::serial).containsExactly("654321", "123456", "9999999", "9999999");
    assertThat(((Seed) entries.getFirst()).expiresAt()).contains(Instant.parse("2006-05-31T00:00:00Z"));
  }

  /** Its secret is 1234. */
  @Test
  void figure2IsTooShortForARealToken() throws IOException {
    assertThat(read(figure(2))).singleElement().isInstanceOfSatisfying(
        Unusable.class,
        entry -> {
          assertThat(entry.serial()).isEqualTo("12345678");
          assertThat(entry.reason()).contains("4 bytes");
        });
  }

  /** Whose user it is, is not taken from the file: tokens are assigned here. */
  @Test
  void figure3HasWhatIsToldBesideTheKey() throws IOException {
    assertThat(read(figure(3))).singleElement().satisfies(PskcFileTest::isTheSecretOfTheExamples);
  }

  /** Issuer and server derive its secret from a key that both have; the file has none. */
  @Test
  void figure4HasNoSecret() throws IOException {
    assertThat(read(figure(4))).singleElement().isInstanceOfSatisfying(
        Unusable.class,
        entry -> {
          assertThat(entry.serial()).isEqualTo("987654321");
          assertThat(entry.reason()).contains("Secret");
        });
  }

  /** The token itself asks for its PIN; the second key is that PIN, and no token. */
  @Test
  void figure5HasATokenWithAPinOfItsOwn() throws IOException {
    List<SeedEntry> entries = read(figure(5));
    assertThat(entries).hasSize(2);
    isTheSecretOfTheExamples(entries.getFirst());
    assertThat(entries.getLast()).isInstanceOfSatisfying(
        Unusable.class, entry -> assertThat(entry.reason()).contains("urn:ietf:params:xml:ns:keyprov:pskc:pin is not taken"));
  }

  @Test
  void figure8IsEncryptedForACertificateWhichIsRefused() throws IOException {
    assertThatThrownBy(() -> read(figure(8))).hasMessageContaining("nothing else is taken");
    assertThatThrownBy(() -> read(figure(8), Optional.of("qwerty"), Optional.of(KEY))).hasMessageContaining("nothing else is taken");
  }

  /** Nobody can check it: the RFC has no certificate for it. */
  @Test
  void figure9HasASignatureWhichIsNotChecked() throws IOException {
    assertThat(read(figure(9))).singleElement().isInstanceOfSatisfying(
        Seed.class,
        seed -> {
          assertThat(seed.serial()).isEqualTo("0755225266");
          assertThat(seed.type()).isEqualTo(new TokenType(Kind.HOTP, Hash.SHA1, 6, 0));
          assertThat(seed.secret()).isEqualTo(SECRET);
        });
  }

  @Test
  void aWrongPasswordOrKeyOpensNothing() throws IOException {
    for (String password : List.of("qwertz", "QWERTY", "x")) {
      refused(figure(7), Optional.of(password), Optional.empty());
    }
    assertThatThrownBy(() -> read(figure(7), Optional.of(""), Optional.empty())).hasMessageContaining("empty");
    refused(figure(6), Optional.empty(), Optional.of(KEY.replace('1', '2')));
    assertThatThrownBy(() -> read(figure(6), Optional.empty(), Optional.of("0011"))).hasMessageContaining("2 bytes");
  }

  private static void refused(String xml, Optional<String> password, Optional<String> key) {
    try {
      assertThat(read(xml, password, key)).allMatch(Unusable.class::isInstance);
    } catch (SeedFileUnreadable e) {
      assertThat(e.sentence()).contains("the password or key is another one");
    }
  }

  /** Each changed byte of the value, its IV and its MAC is found before anything is decrypted. */
  @ParameterizedTest
  @CsvSource({
    "AAECAwQF, BAECAwQF", "qIUqGv, qIUqGw", "ESIzRFVm, ESIzRFVn", "+cIHItlB3, +cIHItlB4", "Su+NvtQf, Su+NvtQg",
    "hmac-sha1, hmac-sha256", "hmac-sha1, hmac-md5", "hmac-sha1, none"
  })
  void aChangedFileIsRefused(String from, String to) throws IOException {
    String changed = figure(6).replace(from, to);
    assertThat(changed).isNotEqualTo(figure(6));
    refusedSomehow(changed);
  }

  private static void refusedSomehow(String xml) {
    try {
      assertThat(read(xml, Optional.of("qwerty"), Optional.of(KEY))).allMatch(Unusable.class::isInstance);
    } catch (SeedFileUnreadable e) {
      assertThat(e.sentence()).isNotBlank();
    }
  }

  @Test
  void aValueWithoutMacAndAPlainOneAmongEncryptedOnesAreRefused() throws IOException {
    String without = figure(6).replaceAll("(?s)<ValueMAC>.*?</ValueMAC>", "");
    assertThat(reason(without)).contains("ValueMAC");
    assertThat(reason(figure(6).replaceAll("(?s)<MACMethod.*?</MACMethod>", ""))).contains("MACMethod");
    String plain = figure(6).replaceAll("(?s)<EncryptedValue>.*?</ValueMAC>", "<PlainValue>MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=</PlainValue>");
    assertThat(reason(plain)).contains("not encrypted");
    String both = figure(6).replace("<EncryptedValue>", "<PlainValue>MTIz</PlainValue><EncryptedValue>");
    assertThat(reason(both)).contains("either");
  }

  private static String reason(String xml) {
    return ((Unusable) read(xml, Optional.of("qwerty"), Optional.of(KEY)).getFirst()).reason();
  }

  @Test
  void whatDerivesTheKeyIsBounded() throws IOException {
    for (String count : List.of("0", "2000001", "99999999999", "-1", "x")) {
      String xml = figure(7).replace(">1000<", ">" + count + "<");
      assertThatThrownBy(() -> read(xml, Optional.of("qwerty"), Optional.empty())).as(count).isInstanceOf(SeedFileUnreadable.class);
    }
    String length = figure(7).replace("<KeyLength>16<", "<KeyLength>2147483647<");
    assertThatThrownBy(() -> read(length, Optional.of("qwerty"), Optional.empty())).hasMessageContaining("KeyLength");
    String salt = figure(7).replace("Ej7/PEpyEpw=", "QUFB".repeat(400));
    assertThatThrownBy(() -> read(salt, Optional.of("qwerty"), Optional.empty())).hasMessageContaining("salt");
    String other = figure(7).replace("pkcs-5v2-0#pbkdf2", "pkcs-5v2-0#scrypt");
    assertThatThrownBy(() -> read(other, Optional.of("qwerty"), Optional.empty())).hasMessageContaining("only PBKDF2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE a [<!ENTITY x \"y\">]><KeyContainer xmlns=\"urn:ietf:params:xml:ns:keyprov:pskc\">&x;</KeyContainer>",
        "<?xml version=\"1.0\"?><!DOCTYPE a SYSTEM \"file:///etc/passwd\"><KeyContainer/>",
        "<KeyContainer/>",
        "<KeyContainer xmlns=\"urn:ietf:params:xml:ns:keyprov:pskc\"/>",
        "<KeyContainer xmlns=\"urn:ietf:params:xml:ns:keyprov:pskc\"><?php x?></KeyContainer>",
        "not xml",
        ""
      })
  void whatIsNoPskcIsRefused(String xml) {
    assertThatThrownBy(() -> read(xml)).isInstanceOf(SeedFileUnreadable.class);
  }

  @Test
  void xmlThatIsTooDeepTooManyOrTooLargeIsRefused() {
    String open = "<KeyContainer xmlns=\"urn:ietf:params:xml:ns:keyprov:pskc\">";
    assertThatThrownBy(() -> read(open + "<a>".repeat(30) + "</a>".repeat(30) + "</KeyContainer>")).isInstanceOf(SeedFileUnreadable.class);
    assertThatThrownBy(() -> read(open + "<a/>".repeat(300_001) + "</KeyContainer>")).isInstanceOf(SeedFileUnreadable.class);
    assertThatThrownBy(() -> read(open + " ".repeat(5 << 20) + "</KeyContainer>")).isInstanceOf(SeedFileUnreadable.class);
  }

  private static String totp(String parameters, String data, String policy) {
    return """
        <KeyContainer Version="1.0" xmlns="urn:ietf:params:xml:ns:keyprov:pskc"><KeyPackage>
        <DeviceInfo><SerialNo>t-9</SerialNo></DeviceInfo>
        <Key Id="1" Algorithm="urn:ietf:params:xml:ns:keyprov:pskc:totp"><AlgorithmParameters>%s</AlgorithmParameters>
        <Data><Secret><PlainValue>MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=</PlainValue></Secret>%s</Data>%s</Key></KeyPackage></KeyContainer>
        """
        .formatted(parameters, data, policy);
  }

  @Test
  void tokensWithAClockHaveSuiteAndInterval() {
    String format = "<Suite>HMAC-SHA256</Suite><ResponseFormat Length=\"7\" Encoding=\"DECIMAL\"/>";
    String data = "<Time><PlainValue>0</PlainValue></Time><TimeInterval><PlainValue>60</PlainValue></TimeInterval>";
    Seed seed = (Seed) read(totp(format, data, "")).getFirst();
    assertThat(seed.type()).isEqualTo(new TokenType(Kind.TOTP, Hash.SHA256, 7, 60));
    assertThat(((Seed) read(totp("", "", "")).getFirst()).type()).isEqualTo(TokenType.USUAL);
  }

  private static String ocra(String uri, String parameters) {
    return totp(parameters, "<Counter><PlainValue>7</PlainValue></Counter>", "").replace("pskc:totp", uri);
  }

  @Test
  void tokensThatAnswerChallengesHaveTheirSuite() {
    String suite = "<Suite>OCRA-1:HOTP-SHA1-6:C-QN08-PSHA1</Suite>";
    String formats = "<ChallengeFormat Encoding=\"DECIMAL\" Min=\"8\" Max=\"8\"/><ResponseFormat Length=\"6\" Encoding=\"DECIMAL\"/>";
    for (String uri : List.of("pskc:ocra", "pskc#OCRA-1")) {
      Seed seed = (Seed) read(ocra(uri, suite + formats)).getFirst();
      assertThat(seed.type()).isEqualTo(new TokenType(Kind.OCRA, Hash.SHA1, 6, 0, Optional.of("OCRA-1:HOTP-SHA1-6:C-QN08-PSHA1")));
      assertThat(seed.counter()).isEqualTo(7);
    }
    assertThat(reason(ocra("pskc:ocra", ""))).contains("needs its Suite");
    assertThat(reason(ocra("pskc:ocra", "<Suite>HMAC-SHA1</Suite>"))).contains("three parts");
    assertThat(reason(ocra("pskc:ocra", suite + formats.replace("DECIMAL\" Min", "HEXADECIMAL\" Min")))).contains("ChallengeFormat");
    assertThat(reason(ocra("pskc:ocra", suite + formats.replace("Min=\"8\"", "Min=\"9\"").replace("Max=\"8\"", "Max=\"9\"")))).contains("ChallengeFormat");
    assertThat(reason(ocra("pskc:ocra", suite + formats.replace("Length=\"6\"", "Length=\"8\"")))).contains("ResponseFormat");
  }

  @Test
  void rulesThatAreNotUnderstoodForbidAKey() {
    assertThat(reason(totp("<Suite>HMAC-MD5</Suite>", "", ""))).contains("suite");
    assertThat(reason(totp("<ResponseFormat Length=\"9\" Encoding=\"DECIMAL\"/>", "", ""))).contains("6 to 8");
    assertThat(reason(totp("<ResponseFormat Length=\"6\" Encoding=\"HEXADECIMAL\"/>", "", ""))).contains("decimal");
    assertThat(reason(totp("<ResponseFormat Length=\"6\" Encoding=\"DECIMAL\" CheckDigits=\"true\"/>", "", ""))).contains("check digit");
    assertThat(reason(totp("", "<TimeInterval><PlainValue>45</PlainValue></TimeInterval>", ""))).contains("30 or 60");
    assertThat(reason(totp("", "", "<Policy><StartDate>2027-01-01T00:00:00Z</StartDate></Policy>"))).contains("not valid before");
    assertThat(reason(totp("", "", "<Policy><KeyUsage>Encrypt</KeyUsage></Policy>"))).contains("KeyUsage");
    assertThat(reason(totp("", "", "<Policy><NumberOfTransactions>3</NumberOfTransactions></Policy>"))).contains("NumberOfTransactions");
    assertThat(reason(totp("", "", "<Policy><PINPolicy PINUsageMode=\"Append\"/></Policy>"))).contains("PIN policy");
    String end = "<ExpiryDate>2030-01-01T00:00:00</ExpiryDate>";
    String good = "<Policy><PINPolicy PINUsageMode=\"Local\"/><KeyUsage>OTP</KeyUsage>" + end + "</Policy>";
    assertThat(((Seed) read(totp("", "", good)).getFirst()).expiresAt()).contains(Instant.parse("2030-01-01T00:00:00Z"));
    assertThat(reason(totp("", "", "").replace("pskc:totp", "pskc:pin"))).contains("pskc:pin");
    assertThat(reason(totp("", "", "").replace("t-9", "../x"))).contains("serial number");
    assertThat(reason(totp("", "", "").replace("t-9", "import"))).contains("serial number");
  }

  @Test
  void noMessageTellsASecret() throws IOException {
    String wrong = figure(10).replace("MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=", "MTIzNDU2Nzg5M*");
    assertThat(read(wrong).toString()).contains("no base64").doesNotContain("MTIz");
  }
}
