package dev.gatehouse.common.mail;

import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.db.MailOutbox.Waiting;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.throttle.LogThrottle;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts mail into the outbox: one short write, whatever the mail server does. Bounded; what does not fit, or cannot be written, is counted
 * and logged and disturbs nobody. Details are sealed, because they may hold a link that gives access.
 */
public final class MailQueue {

  private static final Logger LOG = LoggerFactory.getLogger(MailQueue.class);

  /** Some 10 MB. */
  static final int MOST = 10_000;

  private static final String USE = "mail";

  /**
   * What a text is filled with.
   *
   * @param language of the person, if it is known
   * @param giveUpAfter seconds after which the mail is of no use
   */
  record Details(Map<String, String> values, Optional<String> language, long giveUpAfter) {
    Details {
      values = Map.copyOf(values);
    }

    @Override
    public String toString() {
      return "Details" + values.keySet();
    }
  }

  private static final JsonCodec<Details> CODEC = new JsonCodec<>(Details.class);

  private final MailOutbox outbox;
  private final SealingKey sealing;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final LogThrottle failures = new LogThrottle();
  private final LongAdder dropped = new LongAdder();

  public MailQueue(MailOutbox outbox, SealingKey sealing, InstantSource clock, RandomGenerator random) {
    this.outbox = outbox;
    this.sealing = sealing;
    this.clock = clock;
    this.random = random;
  }

  /** Adds a mail; returns false if it was dropped. */
  boolean add(String realm, Optional<PersonId> person, String kind, Details details) {
    String id = new UUID(random.nextLong(), random.nextLong()).toString();
    Instant now = clock.instant();
    try {
      byte[] sealed = sealing.seal(CODEC.encode(details), USE, id, realm, kind);
      if (outbox.add(new Waiting(id, realm, person, kind, sealed, now, 0, now), MOST)) {
        return true;
      }
      dropped(Optional.empty());
    } catch (RuntimeException e) {
      dropped(Optional.of(e));
    }
    return false;
  }

  /** Returns whether this happens for the first time; remembered for a year or so. */
  boolean isFirst(String... about) {
    return outbox.noteOnce(sealing.digest(String.join("\0", about), USE), clock.instant());
  }

  Instant now() {
    return clock.instant();
  }

  /** Returns whether such a mail to the person waits already. */
  boolean hasFor(String realm, PersonId person, String kind) {
    return outbox.hasFor(realm, person, kind);
  }

  /** Throws if the mail was sealed under another key, or was changed. */
  Details details(Waiting mail) {
    return CODEC.decode(sealing.open(mail.sealedDetails(), USE, mail.id(), mail.realm(), mail.kind()));
  }

  private void dropped(Optional<RuntimeException> why) {
    dropped.increment();
    failures
        .count()
        .ifPresent(
            times ->
                LOG.error(
                    "Mail is dropped: {} ({} mails since the start)",
                    why.map(e -> "it cannot be stored").orElse(MOST + " mails wait already"), times, why.orElse(null)));
  }

  /** Adds the metrics of the queue. */
  void publish(MetricFamilies metrics) {
    SampleFamily.builder("gatehouse.mail.waiting")
        .description("Mails that the mail server has not taken yet")
        .gauge(() -> Map.of(List.of(), (double) outbox.size()))
        .register(metrics);
  }

  long dropped() {
    return dropped.sum();
  }

  /** Returns the time until which tries of the mail make sense. */
  static Instant useful(Waiting mail, Details details) {
    return mail.createdAt().plus(Duration.ofSeconds(details.giveUpAfter()));
  }
}
