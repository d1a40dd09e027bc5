package dev.gatehouse.common.mail;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.SmtpConfig;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.space.SpaceWatch;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.common.throttle.Turns;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/** A node's mail: the notices, the queue and the threads that deliver it and look for what administrators should know. */
public final class MailService implements AutoCloseable {

  /** A server that hangs does not delay the node's stop; the mail is sent again. */
  private static final Duration UNTIL_ENDED = Duration.ofSeconds(2);

  /** The work that one node does for all. */
  private static final String MAIL = "mail";

  /** What mail is about, and to whom it goes. */
  public record Subjects(Realms realms, Directories directories, PartnerRegistry partners, SpaceWatch space, Turns turns) {}

  private final PersonNotices notices;
  private final Consumer<AuditEvent> observer;
  private final List<RepeatedTask> tasks;

  private MailService(PersonNotices notices, Consumer<AuditEvent> observer, RepeatedTask... tasks) {
    this.notices = notices;
    this.observer = observer;
    this.tasks = List.of(tasks);
  }

  /** The service of a node without a mail server, which sends nothing. */
  public static MailService off() {
    return new MailService(PersonNotices.NONE, event -> {});
  }

  /** Starts to deliver. */
  public static MailService begin(
      Node node,
      SmtpConfig smtp,
      Subjects about,
      MailOutbox outbox,
      MailQueue queue,
      AuditLog audit,
      MetricFamilies metrics,
      InstantSource clock) {
    MailComposer composer = new MailComposer(about.realms(), about.directories(), smtp);
    MailDelivery delivery = new MailDelivery(outbox, queue, composer, new SmtpMailServer(smtp, clock), audit, clock);
    AdministratorNotices administrators =
        new AdministratorNotices(node, about, outbox, queue, clock);
    queue.publish(metrics);
    delivery.publish(metrics);
    MailNotices notices = new MailNotices(about.realms(), queue);
    return new MailService(
        notices,
        notices,
        RepeatedTask.begin("mail", "Mail cannot be delivered", deliveryBy(about.turns(), delivery), UNTIL_ENDED),
        RepeatedTask.begin(
            "mail-watch", "Notices to administrators cannot be made", administrators::run, UNTIL_ENDED));
  }

  private static RepeatedTask.Task deliveryBy(Turns turns, MailDelivery delivery) {
    return () -> turns.take(MAIL).ifPresent(delivery::run);
  }

  public PersonNotices notices() {
    return notices;
  }

  /** Takes events of the audit log, of which people are told some. */
  public Consumer<AuditEvent> observer() {
    return observer;
  }

  @Override
  public void close() {
    tasks.reversed().forEach(RepeatedTask::close);
  }
}
