package dev.gatehouse.common.mail;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.mail.MailQueue.Details;
import dev.gatehouse.common.realm.PersonMailConfig;
import dev.gatehouse.common.realm.PersonMailConfig.Notice;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts notices into the queue. Most follow from events of the audit log, so that whatever changes an account, through a page or through the
 * administration, is told in one place.
 */
final class MailNotices implements PersonNotices, Consumer<AuditEvent> {

  private static final Logger LOG = LoggerFactory.getLogger(MailNotices.class);

  /** A notice that is older helps nobody. */
  private static final Duration USEFUL = Duration.ofDays(1);

  private final Realms realms;
  private final MailQueue queue;

  MailNotices(Realms realms, MailQueue queue) {
    this.realms = realms;
    this.queue = queue;
  }

  @Override
  public void accept(AuditEvent event) {
    try {
      switch (event) {
        case AuditEvent.PasswordChanged changed -> tell(Notice.PASSWORD_CHANGED, changed.context(), changed.person());
        case AuditEvent.SecondFactorChanged changed ->
            factor(changed.change()).ifPresent(notice -> tell(notice, changed.context(), changed.person()));
        case AuditEvent.PasskeyChanged changed ->
            passkey(changed.change()).ifPresent(notice -> tell(notice, changed.context(), changed.person()));
        case AuditEvent.TokenChanged changed when !changed.person().equals("-") ->
            token(changed.change()).ifPresent(notice -> tell(notice, changed.context(), changed.person()));
        case AuditEvent.SessionEnded ended when ended.kind().equals("idp") && ended.cause().equals("administrator") ->
            ended(ended);
        case AuditEvent other -> {
          // Of no interest to the person.
        }
      }
    } catch (RuntimeException e) {
      // The event is recorded and its operation goes on.
      LOG.error("A notice cannot be queued", e);
    }
  }

  private static Optional<Notice> factor(String change) {
    return switch (change) {
      case "enrolled" -> Optional.of(Notice.SECOND_FACTOR_ADDED);
      case "removed", "reset" -> Optional.of(Notice.SECOND_FACTOR_REMOVED);
      default -> Optional.empty();
    };
  }

  /** A confirmed passkey counts for more than before, as a new one does. */
  private static Optional<Notice> passkey(String change) {
    return change.equals("confirmed") ? Optional.of(Notice.SECOND_FACTOR_ADDED) : factor(change);
  }

  private static Optional<Notice> token(String change) {
    return switch (change) {
      case "enrolled", "assigned", "replaced", "emergency-codes" -> Optional.of(Notice.SECOND_FACTOR_ADDED);
      case "removed", "unassigned", "lost" -> Optional.of(Notice.SECOND_FACTOR_REMOVED);
      default -> Optional.empty();
    };
  }

  /** One mail for all sessions that end together. */
  private void ended(AuditEvent.SessionEnded ended) {
    String kind = Notice.SESSIONS_ENDED.word();
    if (!queue.hasFor(ended.context().realm(), new PersonId(ended.person()), kind)) {
      tell(Notice.SESSIONS_ENDED, ended.context(), ended.person());
    }
  }

  private void tell(Notice notice, AuditEvent.Context context, String person) {
    realms
        .find(context.realm())
        .filter(realm -> isWanted(realm, notice))
        .ifPresent(
            realm -> add(realm, new PersonId(person), notice, values(realm, context.client()), Optional.empty(), USEFUL));
  }

  @Override
  public void newDevice(Realm realm, Person person, String address, String device) {
    if (!isWanted(realm, Notice.NEW_DEVICE)) {
      return;
    }
    try {
      // Clients without cookies are new each time: one mail a day tells enough of them.
      String day = LocalDate.ofInstant(queue.now(), ZoneOffset.UTC).toString();
      if (queue.isFirst("device", realm.name(), person.id().value(), address, device, day)) {
        Map<String, String> values = values(realm, address);
        values.put("device", MailText.oneLine(device));
        add(realm, person.id(), Notice.NEW_DEVICE, values, Optional.empty(), USEFUL);
      }
    } catch (RuntimeException e) {
      LOG.error("A notice cannot be queued", e);
    }
  }

  @Override
  public boolean passwordReset(Realm realm, Person person, Link link, String address, String language) {
    Optional<PersonMailConfig> config = config(realm);
    if (config.flatMap(mail -> MailComposer.address(mail, person)).isEmpty()) {
      return false;
    }
    Map<String, String> values = values(realm, address);
    values.put("link", link.url());
    values.put("minutes", Long.toString(link.life().toMinutes()));
    return add(realm, person.id(), Notice.PASSWORD_RESET, values, Optional.of(language), link.life());
  }

  private boolean add(
      Realm realm, PersonId person, Notice notice, Map<String, String> values, Optional<String> language, Duration useful) {
    return queue.add(
        realm.name(), Optional.of(person), notice.word(), new Details(values, language, useful.toSeconds()));
  }

  private static boolean isWanted(Realm realm, Notice notice) {
    return config(realm).filter(mail -> mail.notices().contains(notice)).isPresent();
  }

  private static Optional<PersonMailConfig> config(Realm realm) {
    return realm.directory().flatMap(directory -> directory.mail());
  }

  private static Map<String, String> values(Realm realm, String address) {
    Map<String, String> values = new HashMap<>();
    values.put("address", MailText.oneLine(address));
    values.put("account", realm.idp().map(idp -> idp.entityId(realm.name()) + "/account").orElse("-"));
    return values;
  }
}
