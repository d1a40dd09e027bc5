package dev.gatehouse.common.registry;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.io.IOException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces certificates in one partner's metadata that are about to expire: 30, 7 and 1 days before and at expiry, once each, in
 * the log and the audit log. Their keys stay valid while the metadata list them (SAML V2.0 Metadata Interoperability Profile
 * 2.6.1), but other products check the dates, and so do people. Announcements are stored on disk, so that a restart does not repeat
 * them. Used by one thread.
 */
final class CertificateWatch {

  private static final Logger log = LoggerFactory.getLogger(CertificateWatch.class);

  /** The interval of checks of the same document. */
  static final Duration CHECK_INTERVAL = Duration.ofHours(1);

  /** Days before expiry, the last announcement first. */
  private static final List<Integer> DAYS_AHEAD = List.of(0, 1, 7, 30);

  private final String realm;
  private final String entityId;
  private final MetadataCache kept;
  private final AuditLog audit;

  /**
   * Maps a certificate in the metadata to the days of its last announcement. Empty until first needed.
   */
  private Optional<Map<String, Integer>> announced = Optional.empty();

  private Optional<PartnerMetadata> checked = Optional.empty();
  private Instant nextCheck = Instant.MIN;

  CertificateWatch(String realm, String entityId, MetadataCache kept, AuditLog audit) {
    this.realm = realm;
    this.entityId = entityId;
    this.kept = kept;
    this.audit = audit;
  }

  /** Checks the metadata in use if a check is due; may be called at any rate. */
  void check(PartnerMetadata metadata, Instant now) {
    boolean another = checked.filter(before -> before == metadata).isEmpty();
    if (!another && now.isBefore(nextCheck)) {
      return;
    }
    checked = Optional.of(metadata);
    nextCheck = now.plus(CHECK_INTERVAL);
    Map<String, Integer> before = announced.orElseGet(this::read);
    Map<String, Integer> after = new HashMap<>();
    for (X509Certificate certificate : certificates(metadata)) {
      String id = id(certificate);
      Optional<Integer> said = Optional.ofNullable(before.get(id));
      Optional<Integer> due = due(certificate, now);
      boolean news = due.isPresent() && (said.isEmpty() || due.get() < said.get());
      Optional<Integer> level = news && announce(certificate, due.get()) ? due : said;
      level.ifPresent(days -> after.put(id, days));
    }
    if (!after.equals(before)) {
      write(after);
    }
    announced = Optional.of(after);
  }

  /** Returns the smallest number of days in which the certificate expires; empty if it expires later than all of them. */
  private static Optional<Integer> due(X509Certificate certificate, Instant now) {
    Duration left = Duration.between(now, certificate.getNotAfter().toInstant());
    return DAYS_AHEAD.stream().filter(days -> left.compareTo(Duration.ofDays(days)) <= 0).findFirst();
  }

  private boolean announce(X509Certificate certificate, int days) {
    Instant end = certificate.getNotAfter().toInstant();
    String name = certificate.getSubjectX500Principal().getName() + " " + certificate.getSerialNumber().toString(16);
    try {
      audit.record(
          new AuditEvent.CertificateExpiring(
              new AuditEvent.Context(realm, "-", Optional.empty()), entityId, name, end, days));
    } catch (AuditUnavailable e) {
      // Counts as not announced: the next check tries again.
      log.error("The audit log cannot be written", e);
      return false;
    }
    if (days == 0) {
      log.warn("A certificate of {} in realm {} has expired at {}: {}", entityId, realm, end, name);
    } else {
      log.warn("A certificate of {} in realm {} expires within {} days, at {}: {}", entityId, realm, days, end, name);
    }
    return true;
  }

  private static List<X509Certificate> certificates(PartnerMetadata metadata) {
    List<X509Certificate> all = new ArrayList<>();
    metadata.idp().ifPresent(idp -> all.addAll(idp.signing()));
    metadata.idp().ifPresent(idp -> idp.encryption().stream().map(EncryptionKey::certificate).forEach(all::add));
    metadata.sp().ifPresent(sp -> all.addAll(sp.signing()));
    metadata.sp().ifPresent(sp -> sp.encryption().stream().map(EncryptionKey::certificate).forEach(all::add));
    return all.stream().distinct().toList();
  }

  private static String id(X509Certificate certificate) {
    try {
      return Sha256.hex(certificate.getEncoded()).substring(0, 32);
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("it was read from its encoding", e);
    }
  }

  private Map<String, Integer> read() {
    try {
      return kept.announced(realm, entityId);
    } catch (IOException | NumberFormatException e) {
      log.warn("The record of warnings about {} in realm {} cannot be read; the warnings are repeated", entityId, realm, e);
      return Map.of();
    }
  }

  private void write(Map<String, Integer> now) {
    try {
      kept.writeAnnounced(realm, entityId, now);
    } catch (IOException e) {
      log.warn("The record of warnings about {} in realm {} cannot be stored; a restart repeats them", entityId, realm, e);
    }
  }
}
