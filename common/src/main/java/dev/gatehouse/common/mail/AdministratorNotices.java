package dev.gatehouse.common.mail;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.db.MailOutbox;
import dev.gatehouse.common.mail.MailQueue.Details;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.registry.Partner;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.space.SpaceState;
import dev.gatehouse.common.space.SpaceWatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells administrators of certificates that end (30, 7 and 1 days before, and at the end), of partners whose metadata cannot be refreshed,
 * and of disks that fill up: each once, and all that is found together in one mail. Each node looks after its own certificates and disks;
 * one looks after partners for all. Used by one thread.
 */
final class AdministratorNotices {

  private static final Logger LOG = LoggerFactory.getLogger(AdministratorNotices.class);
  private static final String WORK = "mail-watch";
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration USEFUL = Duration.ofDays(3);

  /** Long enough for a partner's restart. */
  private static final Duration FAILING = Duration.ofMinutes(10);

  /** Longer than the first notice of a certificate is before its end. */
  private static final Duration REMEMBERED = Duration.ofDays(400);

  private static final List<Integer> DAYS_AHEAD = List.of(0, 1, 7, 30);
  private static final int LISTED = 50;

  /**
   * What administrators are told.
   *
   * @param digest under which the database remembers that they were told
   */
  private record Notice(String digest, String line) {}

  private final Node node;
  private final String name;
  private final MailService.Subjects about;
  private final MailOutbox outbox;
  private final MailQueue queue;
  private final InstantSource clock;
  private final Map<String, Instant> failing = new HashMap<>();

  /** What works, and of which no notice is remembered in the database. */
  private final Set<String> working = new HashSet<>();

  private Instant next = Instant.MIN;

  AdministratorNotices(Node node, MailService.Subjects about, MailOutbox outbox, MailQueue queue, InstantSource clock) {
    this.node = node;
    this.name = isAlone() ? "this node" : "node " + node.number();
    this.about = about;
    this.outbox = outbox;
    this.queue = queue;
    this.clock = clock;
  }

  /** Checks once a minute; may be called at any rate. */
  void run() {
    Instant now = clock.instant();
    // The next check is due no later than that, unless the clock was set back since.
    if (now.isBefore(next) && !next.isAfter(now.plus(EVERY))) {
      return;
    }
    next = now.plus(EVERY);
    tell("diskFull", fullDisks(now));
    if (!isDoneForAll(now)) {
      tell("certificateEnds", ownCertificates(now));
    }
  }

  private boolean isDoneForAll(Instant now) {
    boolean isDone = false;
    try {
      isDone = about.turns().take(WORK).map(turn -> turn.write(() -> lookForAll(now))).orElse(false);
      return isDone;
    } finally {
      if (!isDone) {
        // What the database was told is taken back, or another node tells it.
        working.clear();
      }
    }
  }

  private void lookForAll(Instant now) {
    tell("certificateEnds", Stream.concat(partnersCertificates(now).stream(), ownCertificates(now).stream()).toList());
    tell("partnerFails", failingPartners(now));
    outbox.forgetBefore(now.minus(REMEMBERED));
  }

  private List<Notice> partnersCertificates(Instant now) {
    List<Notice> found = new ArrayList<>();
    for (Realm realm : about.realms().all()) {
      for (Partner partner : about.partners().all(realm.name())) {
        partner
            .certificatesEnd()
            .flatMap(end -> ending(now, end, realm.name() + ": " + partner.entityId()))
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private List<Notice> ownCertificates(Instant now) {
    List<Notice> found = new ArrayList<>();
    Stream.of(
            node.listeners().idp().stream(), node.listeners().gateway().stream(), Stream.of(node.listeners().admin()),
            node.listeners().certificateLogin().stream(), node.listeners().clientCertificates().stream())
        .flatMap(listeners -> listeners)
        .flatMap(listener -> listener.certificates().stream())
        .distinct()
        .forEach(
            tls -> end(tls).flatMap(end -> ending(now, end, name + ": " + tls.certificate())).ifPresent(found::add));
    return found;
  }

  private static Optional<Instant> end(Node.Tls tls) {
    try {
      return Pem.certificates(Files.readAllBytes(tls.certificate())).stream()
          .findFirst()
          .map(certificate -> certificate.getNotAfter().toInstant());
    } catch (IOException | GeneralSecurityException e) {
      // Health and log report a certificate that cannot be read.
      return Optional.empty();
    }
  }

  private Optional<Notice> ending(Instant now, Instant end, String whose) {
    Duration left = Duration.between(now, end);
    return DAYS_AHEAD.stream()
        .filter(days -> left.compareTo(Duration.ofDays(days)) <= 0)
        .findFirst()
        .map(
            days ->
                new Notice(
                    digest("certificate", whose, end.toString(), days.toString()), whose + (days == 0 ? " ended at " : " ends at ") + end))
        .filter(notice -> outbox.noteOnce(notice.digest(), now));
  }

  private List<Notice> failingPartners(Instant now) {
    List<Notice> found = new ArrayList<>();
    for (Realm realm : about.realms().all()) {
      for (Partner partner : about.partners().all(realm.name())) {
        String whose = realm.name() + ": " + partner.entityId();
        String digest = digest("partner", whose);
        Optional<String> problem = problem(partner);
        if (problem.isEmpty()) {
          works(digest);
        } else if (!now.isBefore(fails(digest, now).plus(FAILING)) && outbox.noteOnce(digest, now)) {
          found.add(new Notice(digest, whose + ": " + problem.get()));
        }
      }
    }
    return found;
  }

  private static Optional<String> problem(Partner partner) {
    return switch (partner.metadata()) {
      case MetadataState.Usable usable -> usable.lastProblem();
      case MetadataState.Unusable unusable when unusable.equals(MetadataState.Unusable.NOT_READ_YET) -> Optional.empty();
      case MetadataState.Unusable(String why) -> Optional.of(why);
    };
  }

  private List<Notice> fullDisks(Instant now) {
    List<Notice> found = new ArrayList<>();
    for (SpaceWatch.Disk disk : about.space().disks()) {
      String digest = isAlone() ? digest("disk", disk.name()) : digest("disk", name, disk.name());
      if (disk.state() == SpaceState.PLENTY) {
        works(digest);
        continue;
      }
      working.remove(digest);
      if (outbox.noteOnce(digest, now)) {
        String whose = isAlone() ? "" : name + ": ";
        found.add(new Notice(digest, whose + disk.name() + " (" + disk.directory() + "): " + (disk.free() >> 20) + " MB free"));
      }
    }
    return found;
  }

  /** Returns since when it fails. */
  private Instant fails(String digest, Instant now) {
    working.remove(digest);
    return failing.computeIfAbsent(digest, key -> now);
  }

  /** A later failure is worth another notice. */
  private void works(String digest) {
    failing.remove(digest);
    if (working.add(digest)) {
      outbox.forget(digest);
    }
  }

  /** What could not be queued is found again in a minute. */
  private void tell(String kind, List<Notice> found) {
    if (found.isEmpty()) {
      return;
    }
    String list = found.stream().limit(LISTED).map(notice -> "- " + MailText.oneLine(notice.line())).collect(Collectors.joining("\n"));
    String more = found.size() > LISTED ? "\n- and " + (found.size() - LISTED) + " more" : "";
    LOG.info("Administrators are told by mail: {}, {} lines", kind, found.size());
    Map<String, String> values = Map.of("list", list + more, "count", Integer.toString(found.size()));
    if (!queue.add("-", Optional.empty(), kind, new Details(values, Optional.empty(), USEFUL.toSeconds()))) {
      found.forEach(notice -> outbox.forget(notice.digest()));
    }
  }

  private boolean isAlone() {
    return node.storage() != Node.Storage.SHARED;
  }

  private static String digest(String... parts) {
    return Sha256.hex(String.join("\0", parts).getBytes(StandardCharsets.UTF_8));
  }
}
