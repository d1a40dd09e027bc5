package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.AuthenticatorModel;
import dev.gatehouse.common.realm.ContractsConfig.CertificateField;
import dev.gatehouse.common.realm.ContractsConfig.CertificateLogin;
import dev.gatehouse.common.realm.ContractsConfig.Passkeys;
import dev.gatehouse.common.realm.ContractsConfig.PasswordReset;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.ContractsConfig.Totp;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.access.OtpYaml;
import dev.gatehouse.common.realm.fido.AuthenticatorModels;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code idp.contracts} of a realm. */
final class ContractsYaml {

  private static final Section TOTP = new Section();
  private static final Key<String> ISSUER =
      TOTP.key(
          "issuer", Type.text("text", ContractsYaml::issuer), "e.g. Example Inc",
          "The name that authenticator apps show; `brand.displayName` unless configured.");
  private static final Key<Integer> DIGITS = TOTP.key("digits", Type.choice(String::valueOf, 6, 8), "6", "Digits of a code.");

  private static final Section CERTIFICATE = new Section();
  private static final Key<Origin> PUBLIC_URL =
      CERTIFICATE.required(
          "publicUrl", Type.OWN_ORIGIN, "https://id.example.org:8444",
          "write the origin of listeners.certificateLogin, as browsers reach it", "The origin of `listeners.certificateLogin`.");
  private static final Key<List<X509Certificate>> CA =
      CERTIFICATE.required(
          "ca", Pems.AUTHORITIES, "people-ca.pem", "name the PEM file of the authority whose certificates count",
          "Authorities whose certificates count.");
  private static final Key<CertificateField> FIELD =
      CERTIFICATE.required(
          "field", Type.choice(CertificateField.class), "subjectCn", "write which field names the person, like subjectCn",
          "The field of the certificate that names the person.");
  private static final Key<String> ATTRIBUTE =
      CERTIFICATE.required(
          "attribute", Type.LDAP_ATTRIBUTE, "uid", "write the directory's attribute that has the field's value, like uid",
          "The directory's attribute that has the field's value.");
  private static final Key<List<X509CRL>> CRL =
      CERTIFICATE.key(
          "crl", Type.string("CRL file, PEM or DER", v -> v.content().flatMap(content -> revoked(v, content))),
          "e.g. people-ca.crl", "The list of revoked certificates; when it is out of date, all certificates are refused.");

  private static final Section PIN = new Section();
  private static final Key<Integer> PIN_MIN = PIN.key("min", Type.integer(4, 16), "4", "The least number of characters.");
  private static final Key<Integer> PIN_MAX = PIN.key("max", Type.integer(4, 16), "8", "The largest number of characters.");
  private static final Key<Boolean> LETTERS = PIN.key("letters", Type.BOOL, "false", "Whether letters count beside digits.");
  private static final Key<Integer> FORMER =
      PIN.key("former", Type.integer(1, 10), "3", "How many PINs, with the present one, cannot be chosen again.");
  private static final Key<TokenLogin.ChosenBy> CHOSEN_BY =
      PIN.key(
          "chosenBy", Type.choice(TokenLogin.ChosenBy.class).reaching(Reach.NAME_ONLY), "person",
          "Who chooses a new PIN: `server` makes it and shows it once, `either` proposes one.");

  private static final Section TOKEN = new Section();
  private static final Key<Void> PIN_RULES = TOKEN.section("pin", PIN, "What a PIN may be.");
  private static final Key<Integer> NEXT_CODE =
      TOKEN.key("nextCodeAfter", Type.integer(1, 20), "3", "Wrong passcodes in a row after which two successive codes are asked for.");
  private static final Key<Integer> LOCK_AFTER =
      TOKEN.key("lockAfter", Type.integer(3, 100), "10", "Wrong passcodes in a row after which the person is locked.");
  private static final Key<Duration> LOCK_FOR =
      TOKEN.key("lockFor", Type.duration("1m", "30d"), "30m", "How long a person is locked.");
  private static final Key<Boolean> LOCK_ENDS =
      TOKEN.key("lockEnds", Type.BOOL, "true", "Whether a lock ends by itself; otherwise an administrator ends it.");

  static final Section KEYS = new Section();
  private static final Key<Boolean> BASIC = KEYS.key("basic", Type.BOOL, "false", "Whether people may log in by HTTP Basic.");
  private static final Key<SecondFactor> SECOND_FACTOR =
      KEYS.key(
          "secondFactor", Type.choice(SecondFactor.class), "optional",
          "Whether a one-time password follows the password; `optional`: for people who have set it up.");
  private static final Key<Void> ONE_TIME = KEYS.section("totp", TOTP, "One-time passwords.");
  private static final Key<Void> BY_CERTIFICATE =
      KEYS.section(
          "certificate", CERTIFICATE, "Login by client certificate on `listeners.certificateLogin`; off unless configured.");

  private static final Key<Void> BY_TOKEN =
      KEYS.section("token", TOKEN, "Login by token: PIN and code in one field; off unless configured.");

  private static final Section RESET = new Section();
  private static final Key<Duration> LIFE =
      RESET.key("life", Type.duration("15m", "30m"), "20m", "How long a link can be used, once.");

  static final Key<Void> PASSWORD_RESET =
      KEYS.section(
          "passwordReset", RESET,
          "New passwords by a link in a mail; off unless configured. Needs `directory.mail`, and a `directory.bindDn` that may "
              + "set passwords.");

  private static final Section PASSKEY = new Section();
  private static final Key<String> RP_ID =
      PASSKEY.key(
          "rpId", Type.text("domain", ContractsYaml::domain).reaching(Reach.NAME_ONLY), "e.g. example.org",
          "The domain of the passkeys: the host of `idp.publicUrl` unless configured, a domain above it, or a former one with "
              + "`relatedOrigins`. Passkeys of another one are lost.");
  private static final Key<Boolean> OFFER =
      PASSKEY.key(
          "offer", Type.BOOL, "true", "Whether people without a passkey are offered one after a login by password, until they answer.");
  private static final Key<Origin> RELATED =
      PASSKEY.list(
          "relatedOrigins", Type.ORIGIN.reaching(Reach.NAME_ONLY), "[]",
          "Origins outside of `rpId` where its passkeys are used, for `https://RPID/.well-known/webauthn`: `idp.publicUrl` after a move, "
              + "e.g. `[https://id.example.com]`.");
  private static final Key<List<AuthenticatorModel>> ATTESTATION =
      PASSKEY.key(
          "attestation", Type.string("JSON file of FIDO metadata", AuthenticatorModels::of), "e.g. keys.json",
          "The models of authenticators that people may enrol, proved by attestation; every model, unproved, unless configured.");
  private static final Key<Void> PASSKEYS =
      KEYS.section("passkeys", PASSKEY, "Login by passkey (WebAuthn); off unless configured, `{}` for the defaults.");

  private final YamlSection contracts;
  private final Optional<Origin> idp;
  private final Optional<OtpYaml> otp;

  /**
   * @param idp the identity provider's own origin, as far as it could be read
   * @param otp the realm's section about tokens
   */
  ContractsYaml(YamlSection contracts, Optional<Origin> idp, Optional<OtpYaml> otp) {
    this.contracts = contracts;
    this.idp = idp;
    this.otp = otp;
  }

  ContractsConfig read() {
    YamlSection totp = contracts.sectionOrEmpty(ONE_TIME);
    return new ContractsConfig(
        contracts.get(BASIC), contracts.get(SECOND_FACTOR), new Totp(totp.find(ISSUER), totp.get(DIGITS)),
        contracts.section(BY_CERTIFICATE).flatMap(this::certificate),
        contracts.section(PASSWORD_RESET).map(reset -> new PasswordReset(reset.get(LIFE))),
        contracts.section(PASSKEYS).flatMap(this::passkeys),
        contracts.section(BY_TOKEN).flatMap(this::token));
  }

  /** WebAuthn, section 5.1.3: the host itself or a domain above it, and never an address. */
  private Optional<Passkeys> passkeys(YamlSection section) {
    if (idp.isEmpty()) {
      return Optional.empty();
    }
    String host = idp.get().host();
    if (!idp.get().isSecure() && !Loopback.isName(host)) {
      contracts.problem(PASSKEYS, "needs https: browsers make passkeys nowhere else", "write https:// in idp.publicUrl");
      return Optional.empty();
    }
    Optional<String> rpId = section.find(RP_ID);
    List<Origin> related = section.all(RELATED).stream().distinct().toList();
    if (!host.matches(".*[a-z].*") || host.contains(":")) {
      contracts.problem(PASSKEYS, "needs a name, and " + host + " is an address", "write a name in idp.publicUrl");
      return Optional.empty();
    }
    boolean isBelow = rpId.filter(id -> !host.equals(id) && !(host.endsWith("." + id) && id.contains("."))).isEmpty();
    if (!isBelow && !related.contains(idp.get())) {
      section.problem(
          RP_ID, "is not the host of idp.publicUrl nor a domain above it: " + host,
          "write " + host + ", or leave it out; if it is the former host, add " + idp.get() + " to relatedOrigins");
      return Optional.empty();
    }
    return Optional.of(
        new Passkeys(
            rpId.orElse(host), section.get(OFFER), related.stream().map(origin -> URI.create(origin.toString())).toList(),
            section.get(ATTESTATION, List.of())));
  }

  private static Optional<String> domain(YamlValue value) {
    return value.text().matches("[a-z0-9-]{1,63}(\\.[a-z0-9-]{1,63})*") && value.text().length() <= 253
        ? value.string()
        : value.wrong(value.shown() + " is no domain", "write a domain in lower case, like example.org");
  }

  /** Refuses a colon, which would end the issuer in the label that apps read (Google's Key Uri Format). */
  private static Optional<String> issuer(YamlValue value) {
    return value.text().contains(":")
        ? value.wrong(value.shown() + " has a colon", "write a plain name, which apps show beside the code")
        : value.string();
  }

  /** Checks that the idp offers a partner's required contract; otherwise nobody could log in there. */
  static void offered(List<YamlSection> sections, List<PartnerConfig> partners, ContractsConfig offered) {
    for (int i = 0; i < partners.size(); i++) {
      String wanted = partners.get(i).asServiceProvider().contract().orElse("password");
      boolean isOffered =
          switch (wanted) {
            case "basic" -> offered.basic();
            case "certificate" -> offered.certificate().isPresent() || offered.secondFactor() != SecondFactor.OFF;
            case "token" -> offered.token().isPresent() || offered.secondFactor() != SecondFactor.OFF;
            case "passkey" -> offered.passkeys().isPresent() && (offered.token().isPresent() || offered.secondFactor() != SecondFactor.OFF);
            case "totp" -> offered.secondFactor() != SecondFactor.OFF;
            default -> true;
          };
      if (!isOffered) {
        sections
            .get(i)
            .problem(PartnersYaml.CONTRACT, "is " + wanted + ", which the idp does not offer", "turn it on in idp.contracts");
      }
    }
  }

  private Optional<TokenLogin> token(YamlSection section) {
    YamlSection pin = section.sectionOrEmpty(PIN_RULES);
    boolean possible = true;
    if (pin.get(PIN_MAX) < pin.get(PIN_MIN)) {
      pin.problem(PIN_MAX, "is less than min", "write at least min");
      possible = false;
    }
    if (section.get(LOCK_AFTER) <= section.get(NEXT_CODE)) {
      section.problem(LOCK_AFTER, "is not more than nextCodeAfter", "write more than nextCodeAfter");
      possible = false;
    }
    if (!possible) {
      return Optional.empty();
    }
    TokenLogin read =
        new TokenLogin(
            new TokenLogin.Pin(pin.get(PIN_MIN), pin.get(PIN_MAX), pin.get(LETTERS), pin.get(FORMER), pin.get(CHOSEN_BY)),
            section.get(NEXT_CODE),
            section.get(LOCK_AFTER),
            section.get(LOCK_ENDS) ? Optional.of(section.get(LOCK_FOR)) : Optional.empty());
    return Optional.of(otp.map(more -> more.addTo(read)).orElse(read));
  }

  private Optional<CertificateLogin> certificate(YamlSection section) {
    Optional<Origin> publicUrl = section.find(PUBLIC_URL).filter(origin -> isItsOwn(section, PUBLIC_URL, origin, idp));
    Optional<List<X509Certificate>> authorities = section.find(CA);
    Optional<CertificateField> field = section.find(FIELD);
    Optional<String> attribute = section.find(ATTRIBUTE);
    List<X509CRL> revoked = section.get(CRL, List.of());
    if (publicUrl.isEmpty() || authorities.isEmpty() || field.isEmpty() || attribute.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new CertificateLogin(
            URI.create(publicUrl.get().toString()), authorities.get(), field.get(), attribute.get(), revoked));
  }

  /** Returns whether an origin that asks for client certificates is not the identity provider's. */
  static boolean isItsOwn(YamlSection section, Key<?> key, Origin origin, Optional<Origin> idp) {
    if (!origin.isSecure()) {
      section.problem(key, "is not https: client certificates are part of TLS", "write https://");
      return false;
    }
    if (idp.filter(origin::equals).isPresent()) {
      section.problem(
          key, "is idp.publicUrl, whose listener asks nobody for a certificate", "give it a port or host of its own");
      return false;
    }
    return true;
  }

  private static Optional<List<X509CRL>> revoked(YamlValue value, byte[] content) {
    List<X509CRL> lists = List.of();
    try {
      lists =
          CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(content)).stream()
              .filter(X509CRL.class::isInstance)
              .map(X509CRL.class::cast)
              .toList();
    } catch (GeneralSecurityException e) {
      // Reported below.
    }
    return lists.isEmpty()
        ? value.wrong("is not a list of revoked certificates: " + value.shownPath(), "name a CRL, PEM or DER")
        : Optional.of(lists);
  }
}
