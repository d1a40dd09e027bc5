package dev.gatehouse.common.mail;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.mail.MailServer.Outcome;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.throttle.Turn;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what waits in the outbox. A mail is removed after the server took it, so that a crash in between sends it twice rather than never.
 * Refused mail, and mail that became useless while it waited, is given up with an event of the audit log. Used by one thread.
 */
final class MailDelivery {

  private static final Logger LOG = LoggerFactory.getLogger(MailDelivery.class);
  private static final int AT_ONCE = 20;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
  private static final Duration LONGEST_UNREACHABLE_PAUSE = Duration.ofMinutes(5);

  private final MailOutbox outbox;
  private final MailQueue queue;
  private final MailComposer composer;
  private final MailServer server;
  private final AuditLog audit;
  private final InstantSource clock;
  private final LongAdder sent = new LongAdder();
  private final LongAdder deferred = new LongAdder();
  private final LongAdder givenUp = new LongAdder();
  private Instant notBefore = Instant.MIN;
  private int unreachable;

  MailDelivery(
      MailOutbox outbox, MailQueue queue, MailComposer composer, MailServer server, AuditLog audit, InstantSource clock) {
    this.outbox = outbox;
    this.queue = queue;
    this.composer = composer;
    this.server = server;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Sends what is due, unless the server could not be reached a short time ago.
   *
   * @param turn looked at before each mail: a node that stood still must not go on where it was. A mail that the server took at that moment
   *     may be sent by the next node once more, under the same Message-ID
   */
  void run(Turn turn) {
    Instant now = clock.instant();
    if (now.isBefore(notBefore)) {
      return;
    }
    for (Waiting mail : outbox.due(now, AT_ONCE)) {
      if (!turn.isOurs() || !deliver(mail, now, turn)) {
        return;
      }
    }
  }

  /** Returns whether the next mail may be tried. */
  private boolean deliver(Waiting mail, Instant now, Turn turn) {
    MailQueue.Details details;
    try {
      details = queue.details(mail);
    } catch (RuntimeException e) {
      LOG.warn("Mail {} cannot be read", mail.id(), e);
      return giveUp(mail, "UNREADABLE", turn);
    }
    if (!now.isBefore(MailQueue.useful(mail, details))) {
      return giveUp(mail, "TOO_LATE", turn);
    }
    return switch (composer.compose(mail, details)) {
      case MailComposer.Result.Ready(Mail ready) -> sent(mail, server.send(ready), now, turn);
      case MailComposer.Result.Unwanted() -> turn.write(() -> outbox.remove(mail.id()));
      case MailComposer.Result.Impossible(String reason) -> giveUp(mail, reason, turn);
      case MailComposer.Result.Later(String reason) -> postpone(mail, reason, now, turn);
    };
  }

  private boolean sent(Waiting mail, Outcome outcome, Instant now, Turn turn) {
    boolean goesOn = true;
    switch (outcome) {
      case Outcome.Taken() -> {
        sent.increment();
        goesOn = turn.write(() -> outbox.remove(mail.id()));
      }
      case Outcome.Refused(String reason) -> goesOn = giveUp(mail, reason, turn);
      case Outcome.Deferred(String reason) -> goesOn = postpone(mail, reason, now, turn);
      case Outcome.Unreachable(String reason) -> {
        deferred.increment();
        notBefore = now.plus(pause(unreachable++, LONGEST_UNREACHABLE_PAUSE));
        LOG.warn("The mail server takes nothing, and is tried again at {}: {}", notBefore, reason);
        return false;
      }
    }
    unreachable = 0;
    return goesOn;
  }

  private boolean postpone(Waiting mail, String reason, Instant now, Turn turn) {
    deferred.increment();
    Duration pause = pause(mail.tries(), LONGEST_PAUSE);
    LOG.info("Mail {} ({}) is tried again in {}: {}", mail.id(), mail.kind(), pause, reason);
    return turn.write(() -> outbox.postpone(mail.id(), mail.tries() + 1, now.plus(pause)));
  }

  private static Duration pause(int tries, Duration longest) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries, 10));
    return pause.compareTo(longest) < 0 ? pause : longest;
  }

  private boolean giveUp(Waiting mail, String reason, Turn turn) {
    String person = mail.person().map(PersonId::value).orElse("-");
    AuditEvent.Context context = new AuditEvent.Context(mail.realm(), "-", Optional.empty());
    boolean ours =
        turn.write(
            () -> {
              audit.record(new AuditEvent.MailGivenUp(context, person, mail.kind(), reason));
              outbox.remove(mail.id());
            });
    if (ours) {
      givenUp.increment();
      LOG.warn("Mail {} ({}) is given up: {}", mail.id(), mail.kind(), reason);
    }
    return ours;
  }

  /** Adds the metrics of deliveries. */
  void publish(MetricFamilies metrics) {
    SampleFamily.builder("gatehouse.mail.deliveries")
        .description("Tries to send a mail, by outcome, and mails for which the outbox had no room")
        .tag("outcome")
        .counter(
            () ->
                Map.of(
                    List.of("sent"), (double) sent.sum(),
                    List.of("deferred"), (double) deferred.sum(),
                    List.of("given-up"), (double) givenUp.sum(),
                    List.of("dropped"), (double) queue.dropped()))
        .register(metrics);
  }
}
