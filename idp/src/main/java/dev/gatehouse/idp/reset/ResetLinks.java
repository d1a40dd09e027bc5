package dev.gatehouse.idp.reset;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.db.PasswordResets;
import dev.gatehouse.common.db.PasswordResets.PasswordReset;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.NameOwner;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.PersonSearch;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.mail.PersonNotices;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The links for new passwords. A link is at the realm's configured public URL, whatever Host a request had. Its token is stored as a
 * keyed digest; a new link replaces the person's former one.
 */
public final class ResetLinks {

  /**
   * A request for a link.
   *
   * @param outcome for the audit log
   * @param mailed to whom a link is on its way
   */
  private record Attempt(String outcome, Optional<PersonId> mailed) {
    static Attempt without(String outcome) {
      return new Attempt(outcome, Optional.empty());
    }
  }

  private static final String USE = "password-reset";

  /** At most one mail to a person in this time, whoever asks. */
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  private final PasswordResets resets;
  private final Directories directories;
  private final PersonNotices notices;
  private final SealingKey sealing;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  public ResetLinks(
      PasswordResets resets,
      Directories directories,
      PersonNotices notices,
      SealingKey sealing,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.resets = resets;
    this.directories = directories;
    this.notices = notices;
    this.sealing = sealing;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Sends a link to the person with that login name or address, if there is one. Takes as long as directory and database take.
   *
   * @param context of the request, which may have been answered already
   */
  void send(RealmRequest request, AuditEvent.Context context, String name, Duration life) {
    Attempt attempt = attempt(request, name, life);
    try {
      audit.record(new AuditEvent.PasswordResetRequested(context, name, attempt.outcome()));
    } catch (AuditUnavailable e) {
      // The mail is on its way, but a link of which the log knows nothing does not work.
      attempt.mailed().ifPresent(person -> resets.remove(request.realm().name(), person));
      throw e;
    }
  }

  private Attempt attempt(RealmRequest request, String name, Duration life) {
    Optional<Person> person;
    try {
      person = person(request, name);
    } catch (DirectoryUnavailable e) {
      return Attempt.without("DIRECTORY_UNAVAILABLE");
    }
    if (person.isEmpty()) {
      return Attempt.without("UNKNOWN_NAME");
    }
    String realm = request.realm().name();
    Instant now = clock.instant();
    if (resets.ofPerson(realm, person.get().id()).filter(last -> now.isBefore(last.createdAt().plus(BETWEEN))).isPresent()) {
      return Attempt.without("TOO_SOON");
    }
    resets.removeExpired(now);
    String token = SessionToken.create(random).value();
    resets.put(realm, new PasswordReset(person.get().id(), digest(request, token), now, now.plus(life), ""));
    PersonNotices.Link link =
        new PersonNotices.Link(request.location(NewPasswordEndpoint.PATH) + "?token=" + token, life);
    boolean sent =
        notices.passwordReset(
            request.realm(), person.get(), link, request.http().client().getHostAddress(), Pages.language(request.http()));
    if (!sent) {
      resets.remove(realm, person.get().id());
      return Attempt.without("NO_ADDRESS");
    }
    return new Attempt("mailed", Optional.of(person.get().id()));
  }

  /** People know one of both; an address that several people have identifies nobody. */
  private Optional<Person> person(RealmRequest request, String name) {
    Directory directory = directories.of(request.realm());
    NameOwner owner = directory.owners(List.of(name)).getOrDefault(name, new NameOwner.None());
    if (owner instanceof NameOwner.One(var id)) {
      return directory.find(id);
    }
    Optional<String> attribute =
        request.realm().directory().filter(config -> name.contains("@")).flatMap(ResetLinks::addressAttribute);
    return attribute.isPresent() && directory.findBy(attribute.get(), name) instanceof PersonSearch.One(Person found)
        ? Optional.of(found)
        : Optional.empty();
  }

  private static Optional<String> addressAttribute(DirectoryConfig config) {
    return config.mail().flatMap(mail -> Optional.ofNullable(config.people().attributes().get(mail.attribute())));
  }

  /** Looks without taking: programs that check mail open links, and a password may be refused. */
  Optional<PasswordReset> find(RealmRequest request, String token) {
    return SessionToken.parse(token)
        .flatMap(known -> resets.find(request.realm().name(), digest(request, known.value())))
        .filter(reset -> clock.instant().isBefore(reset.expiresAt()));
  }

  /** Returns the person of the link as of now. */
  Optional<Person> person(RealmRequest request, PasswordReset reset) {
    return directories.of(request.realm()).find(reset.person());
  }

  /** Takes the link: of two parallel changes, one continues. */
  boolean take(RealmRequest request, PasswordReset reset) {
    return resets.take(request.realm().name(), reset.digest());
  }

  /** Makes the link usable again for the rest of its time: the directory did not accept the password. */
  void putBack(RealmRequest request, PasswordReset reset) {
    resets.put(request.realm().name(), reset);
  }

  /** The link, after the second factor was verified in this browser. */
  static PasswordReset provedIn(PasswordReset reset, String browser) {
    return new PasswordReset(reset.person(), reset.digest(), reset.createdAt(), reset.expiresAt(), browser);
  }

  private String digest(RealmRequest request, String token) {
    return digest(sealing, request.realm().name(), token);
  }

  /** Returns what is stored in place of a link's token. */
  static String digest(SealingKey sealing, String realm, String token) {
    return sealing.digest(token, USE, realm);
  }
}
