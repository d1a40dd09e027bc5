package dev.gatehouse.common.mail;

import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.mail.MailQueue.Details;
import dev.gatehouse.common.node.MailAddress;
import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes a mail when it is sent: with the address and the configuration of that time. */
final class MailComposer {

  /** The attribute that tells a person's language (RFC 2798, section 2.7). */
  private static final String LANGUAGE = "preferredLanguage";

  private static final DateTimeFormatter ENGLISH = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH);
  private static final DateTimeFormatter GERMAN = DateTimeFormatter.ofPattern("d. MMMM uuuu, HH:mm 'UTC'", Locale.GERMAN);

  /** The result. */
  sealed interface Result {
    record Ready(Mail mail) implements Result {}

    /** Nobody wants the mail any more: the realm, the person or the notice is gone. */
    record Unwanted() implements Result {}

    record Impossible(String reason) implements Result {}

    record Later(String reason) implements Result {}
  }

  private final Realms realms;
  private final Directories directories;
  private final SmtpConfig server;

  MailComposer(Realms realms, Directories directories, SmtpConfig server) {
    this.realms = realms;
    this.directories = directories;
    this.server = server;
  }

  Result compose(Waiting mail, Details details) {
    if (mail.person().isEmpty()) {
      return toAdministrators(mail, details);
    }
    Optional<Realm> realm = realms.find(mail.realm());
    Optional<PersonMailConfig> config = realm.flatMap(Realm::directory).flatMap(directory -> directory.mail());
    Optional<Notice> notice = Notice.of(mail.kind());
    if (config.isEmpty() || notice.isEmpty() || !isWanted(config.get(), notice.get())) {
      return new Result.Unwanted();
    }
    Optional<Person> person;
    try {
      person = directories.of(realm.get()).find(mail.person().get());
    } catch (DirectoryUnavailable e) {
      return new Result.Later("the directory is unavailable");
    }
    return person
        .map(found -> toPerson(mail, details, realm.get(), config.get(), notice.get(), found))
        .orElseGet(Result.Unwanted::new);
  }

  private static boolean isWanted(PersonMailConfig config, Notice notice) {
    return notice == Notice.PASSWORD_RESET || config.notices().contains(notice);
  }

  private Result toPerson(
      Waiting mail, Details details, Realm realm, PersonMailConfig config, Notice notice, Person person) {
    Optional<MailAddress> address = address(config, person);
    if (address.isEmpty()) {
      return new Result.Impossible("NO_ADDRESS");
    }
    String language = language(config, details, person);
    Map<String, String> values = new HashMap<>(details.values());
    values.put("realm", MailText.oneLine(realm.brand().displayName()));
    values.put("person", MailText.oneLine(person.name()));
    values.put("time", time(mail.createdAt(), language));
    MailText text = MailText.of(config, notice, language, values);
    return new Result.Ready(
        new Mail(mail.id(), realm.brand().displayName(), List.of(address.get().value()), text.subject(), text.text()));
  }

  private Result toAdministrators(Waiting mail, Details details) {
    if (server.administrators().isEmpty()) {
      return new Result.Unwanted();
    }
    Map<String, String> values = new HashMap<>(details.values());
    values.put("time", time(mail.createdAt(), "en"));
    MailText text = MailText.of(mail.kind(), values);
    return new Result.Ready(new Mail(mail.id(), "Gatehouse", server.administrators(), text.subject(), text.text()));
  }

  /** Returns the person's address, if the directory has exactly a plain one in first place. */
  static Optional<MailAddress> address(PersonMailConfig config, Person person) {
    return person.attributes().getOrDefault(config.attribute(), List.of()).stream().findFirst().flatMap(MailAddress::parse);
  }

  private static String language(PersonMailConfig config, Details details, Person person) {
    return details
        .language()
        .or(() -> person.attributes().getOrDefault(LANGUAGE, List.of()).stream().findFirst())
        .flatMap(tag -> PersonMailConfig.LANGUAGES.stream().filter(known -> tag.toLowerCase(Locale.ROOT).startsWith(known)).findFirst())
        .orElse(config.language());
  }

  private static String time(Instant at, String language) {
    return (language.equals("de") ? GERMAN : ENGLISH).format(at.atOffset(ZoneOffset.UTC));
  }
}
