package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.node.MailAddress;
import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.node.SmtpConfig.Account;
import dev.gatehouse.common.node.SmtpConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads {@code mail} of {@code gatehouse.yaml} and {@code directory.mail} of a realm. */
final class MailYaml {

  private static final Type<String> ADDRESS = Type.text("mail address", MailYaml::address);

  private static final int LONGEST_TEXT = 16 << 10;
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z]*)}");

  static final Section SERVER = new Section();
  private static final Key<String> HOST =
      SERVER.required("host", Type.NAME, "smtp.example.org", "write the server's name or address", "The server, by name or address.");
  private static final Key<Integer> PORT =
      SERVER.key("port", Type.integer(1, 65_535), "e.g. 587", "The server's port; 587, and 465 with `tls: smtps`, unless configured.");
  private static final Key<Security> TLS =
      SERVER.key(
          "tls", Type.choice(MailYaml::word, Security.values()), "startTls",
          "`startTls`: nothing is sent without STARTTLS; `smtps`: TLS from the first byte; `none`: for a server on this host only.");
  private static final Key<List<X509Certificate>> CA =
      SERVER.key(
          "ca", Pems.AUTHORITIES, "e.g. tls/private-ca.pem", "Authorities that count for the server's certificate beside the JDK's.");
  private static final Key<String> USER = SERVER.key("user", Type.TEXT, "e.g. gatehouse", "The account at the server, with `password`.");
  private static final Key<Secret> PASSWORD =
      SERVER.key("password", Type.SECRET, "e.g. ${SMTP_PASSWORD}", "The password of `user`.");
  private static final Key<String> FROM =
      SERVER.required(
          "from", ADDRESS, "no-reply@example.org", "write the address that mail comes from", "The address that mail comes from.");
  private static final Key<String> ADMINISTRATORS =
      SERVER.list(
          "administrators", ADDRESS, "[]",
          "Addresses that are told of certificates that end, partners whose metadata fail and disks that fill up, "
              + "e.g. `[ops@example.org]`.");

  static final Section PEOPLE = new Section();
  private static final Key<String> ATTRIBUTE =
      PEOPLE.key("attribute", Type.NAME, "mail", "Our name of the attribute (see `attributes`) that has a person's address.");
  private static final Key<String> LANGUAGE =
      PEOPLE.key(
          "language", Type.words("en", "de"), "en",
          "The language of mail, unless the person's browser or the attribute `preferredLanguage` tells it.");
  private static final Key<Notice> NOTICES =
      PEOPLE.list(
          "notices", Type.choice(Notice::word, notices()),
          "[newDevice, secondFactorAdded, secondFactorRemoved, passwordChanged, sessionsEnded]", "What people are told.");
  private static final Key<YamlValue> TEXTS =
      PEOPLE.map(
          "texts", Type.FILE, "{}",
          "Files with texts of your own, e.g. `{newDevice: mail/new-device.txt, newDevice.de: mail/neues-geraet.txt}`: "
              + "`Subject: ...`, an empty line, the text, with `{person}` and the other placeholders.");

  private MailYaml() {}

  private static Notice[] notices() {
    return Arrays.stream(Notice.values()).filter(notice -> notice != Notice.PASSWORD_RESET).toArray(Notice[]::new);
  }

  private static String word(Security security) {
    return security == Security.SMTPS ? "smtps" : Type.camelCase(security);
  }

  /** Returns the server; empty if a key without default is missing or wrong. */
  static Optional<SmtpConfig> server(YamlSection mail) {
    Optional<String> host = mail.find(HOST);
    Optional<String> from = mail.find(FROM);
    Security security = mail.get(TLS);
    if (security == Security.NONE && host.filter(Loopback::isName).isEmpty()) {
      mail.problem(TLS, "is none, so that links for new passwords would travel in clear text", "write startTls or smtps");
    }
    if (mail.has(CA) && security == Security.NONE) {
      mail.problem(CA, "has no effect without TLS", "remove it, or write tls: startTls");
    }
    if (mail.has(USER) != mail.has(PASSWORD)) {
      mail.problem(mail.has(USER) ? USER : PASSWORD, "stands alone", "write user and password, or neither");
    }
    if (mail.has(USER) && security == Security.NONE) {
      mail.problem(USER, "has a password that would travel in clear text", "write tls: startTls, or remove user and password");
    }
    Optional<Account> account = mail.find(USER).flatMap(user -> mail.find(PASSWORD).map(password -> new Account(user, password)));
    int port = mail.get(PORT, security == Security.SMTPS ? 465 : security == Security.START_TLS ? 587 : 25);
    return host.flatMap(
        server ->
            from.map(
                sender ->
                    new SmtpConfig(
                        server, port, security, mail.get(CA, List.of()), account, sender, mail.all(ADMINISTRATORS))));
  }

  /** @param attributes our names of the attributes that are read */
  static PersonMailConfig people(YamlSection mail, Set<String> attributes) {
    String attribute = mail.get(ATTRIBUTE);
    if (!attributes.contains(attribute)) {
      mail.problem(
          ATTRIBUTE, "names " + attribute + ", which is not read", "add it to directory.attributes, or name one that is listed there");
    }
    return new PersonMailConfig(attribute, mail.get(LANGUAGE), Set.copyOf(mail.all(NOTICES)), texts(mail));
  }

  /** Reports what new passwords by mail need: mail for the link, and a service account that writes the password. */
  static void resetPossible(YamlSection realm, Key<?> idp, Optional<DirectoryConfig> directory) {
    if (directory.filter(known -> known.mail().isEmpty()).isPresent()) {
      realm.problem(idp, "has contracts.passwordReset, but people get no mail", "add directory.mail");
    }
    if (directory.filter(known -> known.bindDn().isEmpty()).isPresent()) {
      realm.problem(idp, "has contracts.passwordReset, but nobody may write passwords", "add directory.bindDn with that right");
    }
  }

  private static Map<String, String> texts(YamlSection mail) {
    Map<String, String> texts = new LinkedHashMap<>();
    mail.map(TEXTS)
        .forEach(
            (name, file) -> {
              Optional<Notice> notice = notice(name);
              if (notice.isEmpty()) {
                file.wrong("stands for no mail", "write one of " + names());
              } else {
                file.content().flatMap(content -> text(file, content, notice.get())).ifPresent(text -> texts.put(name, text));
              }
            });
    return texts;
  }

  private static Optional<Notice> notice(String name) {
    return Arrays.stream(Notice.values())
        .filter(notice -> PersonMailConfig.LANGUAGES.stream().anyMatch(l -> PersonMailConfig.textName(notice, l).equals(name)))
        .findFirst();
  }

  private static String names() {
    return Arrays.stream(Notice.values()).map(Notice::word).collect(Collectors.joining(", ")) + ", or one of them with .de";
  }

  private static Optional<String> text(YamlValue file, byte[] content, Notice notice) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    } catch (CharacterCodingException e) {
      return file.wrong(file.shownPath() + " is not UTF-8", "save the text as UTF-8");
    }
    if (text.length() > LONGEST_TEXT) {
      return file.wrong(file.shownPath() + " is longer than 16 KB", "write a shorter text");
    }
    if (!text.startsWith("Subject: ") || !text.contains("\n\n") || text.indexOf("\n\n") != text.indexOf('\n')) {
      return file.wrong(
          file.shownPath() + " has no subject", "begin with a line like \"Subject: Your password\" and an empty line");
    }
    Matcher placeholders = PLACEHOLDER.matcher(text);
    while (placeholders.find()) {
      if (!notice.knows(placeholders.group(1))) {
        return file.wrong(
            file.shownPath() + " uses " + placeholders.group() + ", which this mail does not have", "see docs/how-to/send-mail.md");
      }
    }
    if (notice == Notice.PASSWORD_RESET && !text.contains("{link}")) {
      return file.wrong(file.shownPath() + " lacks {link}, without which nobody can set a password", "add {link}");
    }
    return Optional.of(text);
  }

  private static Optional<String> address(YamlValue value) {
    return MailAddress.parse(value.text()).isPresent()
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is not a mail address", "write a plain address like ops@example.org");
  }
}
