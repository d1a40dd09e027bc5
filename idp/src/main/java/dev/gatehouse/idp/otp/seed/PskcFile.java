package dev.gatehouse.idp.otp.seed;

import static dev.gatehouse.idp.otp.seed.PskcXml.PSKC;

import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.common.saml.xml.XmlElement;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads PSKC files (RFC 6030). A key with rules that are not understood is unusable, as section 4.3.3 wants. */
final class PskcFile {

  private static final Map<String, Kind> KINDS =
      Map.of(
          PSKC + ":hotp", Kind.HOTP, PSKC + "#hotp", Kind.HOTP,
          PSKC + ":totp", Kind.TOTP, PSKC + "#totp", Kind.TOTP,
          PSKC + ":ocra", Kind.OCRA, PSKC + "#OCRA-1", Kind.OCRA);

  private static final Map<String, Hash> SUITES =
      Map.of(
          "HMAC-SHA1", Hash.SHA1, "HMACSHA1", Hash.SHA1, "SHA1", Hash.SHA1,
          "HMAC-SHA256", Hash.SHA256, "HMACSHA256", Hash.SHA256, "SHA256", Hash.SHA256,
          "HMAC-SHA512", Hash.SHA512, "HMACSHA512", Hash.SHA512, "SHA512", Hash.SHA512);

  private final PskcSecrets secrets;
  private final Instant now;

  private PskcFile(PskcSecrets secrets, Instant now) {
    this.secrets = secrets;
    this.now = now;
  }

  /** Reads the file, or throws {@link SeedFileUnreadable} if it is wrong as a whole. */
  static List<SeedEntry> read(byte[] content, PskcSecrets.Unlock unlock, Instant now) {
    XmlElement root = PskcXml.root(content);
    PskcFile file = new PskcFile(new PskcSecrets(root, unlock), now);
    List<SeedEntry> entries = new ArrayList<>();
    for (XmlElement each : PskcXml.keyPackages(root)) {
      entries.add(file.entry(entries.size() + 1, each));
    }
    if (entries.isEmpty()) {
      throw new SeedFileUnreadable("The file has no KeyPackage.");
    }
    return entries;
  }

  private SeedEntry entry(int number, XmlElement keyPackage) {
    String serial = "";
    try {
      Optional<XmlElement> key = PskcXml.child(keyPackage, "Key", PSKC);
      serial =
          PskcXml.child(keyPackage, "DeviceInfo", PSKC)
              .flatMap(device -> PskcXml.child(device, "SerialNo", PSKC))
              .map(PskcXml::text)
              .or(() -> key.flatMap(element -> element.attribute("Id")))
              .orElse("");
      return key(number, serial, key.orElseThrow(() -> new SeedFileUnreadable("The package has no Key.")));
    } catch (SeedFileUnreadable e) {
      return new SeedEntry.Unusable(number, serial.length() > 64 ? serial.substring(0, 64) : serial, e.sentence());
    }
  }

  private SeedEntry key(int number, String serial, XmlElement key) {
    String algorithm = PskcXml.algorithm(key);
    Kind kind =
        Optional.ofNullable(KINDS.get(algorithm))
            .orElseThrow(() -> new SeedFileUnreadable("The algorithm " + algorithm + " is not taken; HOTP, TOTP and OCRA are."));
    XmlElement data = PskcXml.required(key, "Data", PSKC);
    TokenType type = type(kind, key, data);
    long counter = value(data, "Counter", Integer.MAX_VALUE).orElse(0);
    Optional<Instant> expires = PskcXml.child(key, "Policy", PSKC).flatMap(this::policy);
    byte[] secret = secrets.open(PskcXml.required(data, "Secret", PSKC));
    return SeedEntry.of(number, serial, type, secret, kind.hasClock() ? 0 : counter, expires);
  }

  private static TokenType type(Kind kind, XmlElement key, XmlElement data) {
    if (kind == Kind.OCRA) {
      return challenged(key);
    }
    Optional<XmlElement> parameters = PskcXml.child(key, "AlgorithmParameters", PSKC);
    Optional<String> suite = parameters.flatMap(element -> PskcXml.child(element, "Suite", PSKC)).map(PskcXml::text);
    Hash hash =
        suite.map(
                name ->
                    Optional.ofNullable(SUITES.get(name.toUpperCase(Locale.ROOT)))
                        .orElseThrow(() -> new SeedFileUnreadable("The suite " + name + " is not taken; HMAC with SHA-1 or SHA-2 is.")))
            .orElse(Hash.SHA1);
    Optional<XmlElement> format = parameters.flatMap(element -> PskcXml.child(element, "ResponseFormat", PSKC));
    String encoding = format.flatMap(element -> element.attribute("Encoding")).orElse("DECIMAL");
    boolean checked = format.flatMap(element -> element.attribute("CheckDigits")).filter(on -> !on.matches("0|false")).isPresent();
    if (!encoding.equals("DECIMAL") || checked) {
      throw new SeedFileUnreadable("Codes are decimal, without a check digit; the key has others.");
    }
    String digits = format.flatMap(element -> element.attribute("Length")).orElse("6");
    if (!digits.matches("[678]")) {
      throw new SeedFileUnreadable("Codes have 6 to 8 digits; the key has other ones.");
    }
    int interval = value(data, "TimeInterval", Integer.MAX_VALUE).orElse(30);
    if (kind == Kind.TOTP && interval != 30 && interval != 60) {
      throw new SeedFileUnreadable("A TOTP token shows a code for 30 or 60 seconds, this one for " + interval + ".");
    }
    return new TokenType(kind, hash, Integer.parseInt(digits), kind == Kind.TOTP ? interval : 0);
  }

  /** Suite, format of the challenge and format of the response say the same thing (section 4.3.4). */
  private static TokenType challenged(XmlElement key) {
    Optional<XmlElement> parameters = PskcXml.child(key, "AlgorithmParameters", PSKC);
    String suite =
        parameters
            .flatMap(element -> PskcXml.child(element, "Suite", PSKC))
            .map(PskcXml::text)
            .orElseThrow(() -> new SeedFileUnreadable("An OCRA token needs its Suite, as in OCRA-1:HOTP-SHA1-6:QN08."));
    OcraSeeds.Read read = OcraSeeds.read(suite);
    parameters
        .flatMap(element -> PskcXml.child(element, "ChallengeFormat", PSKC))
        .ifPresent(
            format -> {
              String encoding = format.attribute("Encoding").orElse("");
              int least = length(format, "Min");
              int most = length(format, "Max");
              if (!encoding.equals(read.encoding()) || read.length() < least || read.length() > most || checks(format)) {
                throw new SeedFileUnreadable("ChallengeFormat and the suite " + suite + " say different things.");
              }
            });
    parameters
        .flatMap(element -> PskcXml.child(element, "ResponseFormat", PSKC))
        .ifPresent(
            format -> {
              boolean decimal = format.attribute("Encoding").equals(Optional.of("DECIMAL"));
              if (!decimal || length(format, "Length") != read.type().digits() || checks(format)) {
                throw new SeedFileUnreadable("ResponseFormat and the suite " + suite + " say different things.");
              }
            });
    return read.type();
  }

  private static boolean checks(XmlElement format) {
    return format.attribute("CheckDigits").filter(on -> !on.matches("0|false")).isPresent();
  }

  private static int length(XmlElement format, String name) {
    return format.attribute(name).filter(text -> text.matches("[0-9]{1,3}")).map(Integer::parseInt).orElse(-1);
  }

  private static Optional<Integer> value(XmlElement data, String name, int most) {
    return PskcXml.child(data, name, PSKC)
        .map(
            element -> PskcXml.number(
                PskcXml.child(element, "PlainValue", PSKC)
                    .orElseThrow(() -> new SeedFileUnreadable(name + " is not plain; only secrets may be encrypted.")),
                most));
  }

  /** Returns the key's end. */
  private Optional<Instant> policy(XmlElement policy) {
    Optional<Instant> end = Optional.empty();
    boolean forCodes = PskcXml.all(policy, "KeyUsage", PSKC).findAny().isEmpty();
    for (XmlElement rule : policy.children()) {
      switch (rule.name()) {
        case "StartDate" -> {
          if (time(rule).isAfter(now)) {
            throw new SeedFileUnreadable("The key is not valid before " + PskcXml.text(rule) + ": import it then.");
          }
        }
        case "ExpiryDate" -> end = Optional.of(time(rule));
        case "KeyUsage" -> forCodes |= PskcXml.text(rule).equals("OTP");
        case "PINPolicy" -> {
          // Local: the token itself asks for its PIN, which nobody else knows.
          if (!rule.attribute("PINUsageMode").equals(Optional.of("Local"))) {
            throw new SeedFileUnreadable("The key has a PIN policy that only its issuer can keep; PINs are given here.");
          }
        }
        default -> throw new SeedFileUnreadable("The key has a rule that is not understood: " + rule.name() + ".");
      }
    }
    if (!forCodes) {
      throw new SeedFileUnreadable("The key is not for one-time passwords: its KeyUsage does not say OTP.");
    }
    return end;
  }

  /** xs:dateTime, in UTC if it does not say otherwise (section 4.3.3). */
  private static Instant time(XmlElement element) {
    String text = PskcXml.text(element);
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      try {
        return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
      } catch (DateTimeException f) {
        throw new SeedFileUnreadable(element.name() + " is no time like 2028-01-31T00:00:00Z.");
      }
    }
  }
}
