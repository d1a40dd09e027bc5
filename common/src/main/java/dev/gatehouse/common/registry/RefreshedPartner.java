package dev.gatehouse.common.registry;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.registry.Partner.MetadataState;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partner's metadata, refreshed by its own virtual thread as long as the partner is configured. Failures here affect this
 * partner only.
 */
final class RefreshedPartner {

  private static final Logger log = LoggerFactory.getLogger(RefreshedPartner.class);
  private static final String ACCEPT = "application/samlmetadata+xml, application/xml;q=0.9, */*;q=0.1";
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
  private static final int MAX_BYTES = 10 << 20;

  private final String realm;
  private final String entityId;
  private final EndpointRule rule;
  private final MetadataPartnerRegistry.RefreshTools tools;
  private final Semaphore woken = new Semaphore(0);
  private final Thread thread;
  private volatile MetadataSource source;
  private volatile MetadataState state = MetadataState.Unusable.NOT_READ_YET;

  private final CertificateWatch certificates;

  /** The document in use; used only by the thread, like all fields below. */
  private Optional<Document> inUse = Optional.empty();

  private int failures;
  private String lastProblem = "";
  private Object lastIdentity = "";

  /**
   * A document that was taken over.
   *
   * @param verifiedBy the certificate of its signature, if one is configured
   */
  private record Document(String digest, Optional<X509Certificate> verifiedBy, PartnerMetadata metadata) {

    /** Returns what it says, if that is what reading it again would give. */
    Optional<PartnerMetadata> again(String found, Optional<X509Certificate> verifyWith, Instant now) {
      boolean isValid = metadata.validUntil().filter(until -> !now.isBefore(until)).isEmpty();
      return digest.equals(found) && verifiedBy.equals(verifyWith) && isValid ? Optional.of(metadata) : Optional.empty();
    }
  }

  RefreshedPartner(String realm, PartnerConfig config, EndpointRule rule, MetadataPartnerRegistry.RefreshTools tools) {
    this.realm = realm;
    this.entityId = config.entityId();
    this.rule = rule;
    this.source = config.metadata();
    this.tools = tools;
    this.certificates = new CertificateWatch(realm, entityId, tools.kept(), tools.audit());
    this.thread = Thread.ofVirtual().name("metadata " + realm + " " + entityId).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void stop() {
    thread.interrupt();
  }

  /** Triggers a check at once, because something about the realm has changed. */
  void wake() {
    woken.release();
  }

  /**
   * Adopts that configuration if the source, the verification and the rule for endpoints are unchanged; returns whether it was adopted.
   * Then the present state stays valid.
   */
  boolean adopt(PartnerConfig config, EndpointRule present) {
    boolean same =
        rule.equals(present) && switch (source) {
          case MetadataSource.File file -> file.equals(config.metadata());
          case MetadataSource.Url(URI url, Optional<Path> verifyWith, Duration refresh) ->
              config.metadata() instanceof MetadataSource.Url other
                  && other.url().equals(url)
                  && other.verifyWith().equals(verifyWith);
        };
    if (same) {
      source = config.metadata();
    }
    return same;
  }

  /** Returns the present state: a document past its validUntil is not valid any more (SAML Metadata 2.3.2). */
  MetadataState state() {
    return state instanceof MetadataState.Usable(PartnerMetadata metadata, Instant at, Optional<String> problem)
            && metadata.validUntil().filter(until -> !tools.clock().instant().isBefore(until)).isPresent()
        ? new MetadataState.Unusable(
            "its metadata was valid until " + metadata.validUntil().get() + problem.map(p -> "; " + p).orElse(""))
        : state;
  }

  private void run() {
    try {
      restore();
      while (!Thread.currentThread().isInterrupted()) {
        pause(attempt());
      }
    } catch (InterruptedException e) {
      // The partner is no longer configured, or the node is stopping.
    }
  }

  /** Waits until the delay is over or {@link #wake} is called; checks certificates meanwhile. */
  private void pause(Duration delay) throws InterruptedException {
    boolean wakened = false;
    for (Duration left = delay; !wakened && left.isPositive(); left = left.minus(CertificateWatch.CHECK_INTERVAL)) {
      if (state instanceof MetadataState.Usable usable) {
        certificates.check(usable.metadata(), tools.clock().instant());
      }
      wakened = woken.tryAcquire(least(left, CertificateWatch.CHECK_INTERVAL).toMillis(), TimeUnit.MILLISECONDS);
    }
    if (wakened) {
      woken.drainPermits();
      lastIdentity = "";
    }
  }

  private static Duration least(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private Duration attempt() throws InterruptedException {
    try {
      return switch (source) {
        case MetadataSource.File file -> readIfChanged(file);
        case MetadataSource.Url url -> {
          tools.fetchAfter().await();
          yield fetch(url);
        }
      };
    } catch (RuntimeException e) {
      log.error("Metadata of {} in realm {} could not be followed", entityId, realm, e);
      return failed("an internal error, see the log");
    }
  }

  private Duration readIfChanged(MetadataSource.File file) {
    Object identity = WatchedFile.identity(file.path());
    if (!identity.equals(lastIdentity)) {
      lastIdentity = identity;
      try (InputStream in = Files.newInputStream(file.path())) {
        byte[] document = in.readNBytes(MAX_BYTES + 1);
        if (document.length > MAX_BYTES) {
          failed("the file is larger than 10 MB");
        } else {
          take(document, file.verifyWith(), false);
        }
      } catch (IOException e) {
        failed("the file cannot be read: " + file.path());
      }
    }
    return CHECK_INTERVAL;
  }

  private Duration fetch(MetadataSource.Url url) throws InterruptedException {
    Answer answer = tools.fetching().in(url.url(), () -> tools.http().get(url.url(), ACCEPT));
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Optional<PartnerMetadata> taken =
        switch (answer) {
          case Answer.Failed(var cause, String problem) -> refused(url.url() + ": " + problem);
          case Answer.Received(int status, byte[] body, Optional<String> location) when status != 200 ->
              refused(url.url() + " answers " + status);
          case Answer.Received(int status, byte[] body, Optional<String> location) ->
              take(body, url.verifyWith(), true);
        };
    boolean serving = state() instanceof MetadataState.Usable;
    return taken
        .map(metadata -> tools.plan().afterSuccess(url.refresh(), metadata, tools.clock().instant()))
        .orElseGet(() -> tools.plan().afterFailure(failures, serving));
  }

  /** Uses the document if it is good; empty if it was refused. */
  private Optional<PartnerMetadata> take(byte[] document, Optional<Path> verifyWith, boolean fetched) {
    Instant now = tools.clock().instant();
    String digest = Sha256.hex(document);
    Optional<X509Certificate> key;
    Result<PartnerMetadata, SamlRefusal> reading;
    try {
      key = verifyWith.isPresent() ? Optional.of(WatchedFile.certificate(verifyWith.get())) : Optional.empty();
      // A change of a realm asks for the documents of all its partners: thousands, of which none has changed.
      Optional<PartnerMetadata> known = inUse.flatMap(used -> used.again(digest, key, now));
      reading = known.isPresent() ? new Result.Accepted<>(known.get()) : read(document, key, now);
    } catch (IOException | GeneralSecurityException e) {
      return refused("verifyWith cannot be read: " + verifyWith.map(Path::toString).orElse(""));
    }
    return switch (reading) {
      case Result.Refused(var refusal) ->
          refused("the document is refused: " + refusal.reason() + ": " + refusal.detail());
      case Result.Accepted(PartnerMetadata metadata) when fetched && isOlder(metadata) ->
          refused(
              "the document is older than the one in use, for its validUntil is "
                  + metadata.validUntil().map(Instant::toString).orElse("missing"));
      case Result.Accepted(PartnerMetadata metadata) -> accept(document, new Document(digest, key, metadata), now, fetched);
    };
  }

  private Result<PartnerMetadata, SamlRefusal> read(byte[] document, Optional<X509Certificate> key, Instant now) {
    return tools.codec().read(document, entityId, key, now).then(metadata -> Result.accepted(rule.applied(metadata)));
  }

  private Optional<PartnerMetadata> accept(byte[] document, Document found, Instant now, boolean fetched) {
    PartnerMetadata metadata = found.metadata();
    if (inUse.filter(used -> used.digest().equals(found.digest())).isEmpty()) {
      String revision = found.digest().substring(0, 12);
      try {
        record(revision, true, inUse.map(used -> "was " + used.digest().substring(0, 12)).orElse("first"));
      } catch (AuditUnavailable e) {
        return refused("the change cannot be audited");
      }
      log.info("Metadata of {} in realm {} taken over: {}", entityId, realm, revision);
      metadata.notes().forEach(note -> log.warn("Metadata of {} in realm {}: {}", entityId, realm, note));
    }
    inUse = Optional.of(found);
    if (fetched) {
      keep(document);
    }
    failures = 0;
    lastProblem = "";
    state = new MetadataState.Usable(metadata, now, Optional.empty());
    return Optional.of(metadata);
  }

  /**
   * Returns whether the document is older than the one in use. An old document, well signed and not yet expired, could restore a revoked
   * key. One with the same content does no harm: its publisher shortened the validity.
   */
  private boolean isOlder(PartnerMetadata metadata) {
    return state() instanceof MetadataState.Usable(PartnerMetadata held, Instant at, Optional<String> problem)
        && held.validUntil().isPresent()
        && metadata.validUntil().filter(until -> !until.isBefore(held.validUntil().get())).isEmpty()
        && !(held.idp().equals(metadata.idp()) && held.sp().equals(metadata.sp()));
  }

  private Optional<PartnerMetadata> refused(String problem) {
    failed(problem);
    return Optional.empty();
  }

  private Duration failed(String problem) {
    failures++;
    boolean news = !problem.equals(lastProblem);
    lastProblem = problem;
    state =
        switch (state) {
          case MetadataState.Usable(PartnerMetadata metadata, Instant at, Optional<String> before) ->
              new MetadataState.Usable(metadata, at, Optional.of(problem));
          case MetadataState.Unusable before -> new MetadataState.Unusable(problem);
        };
    if (news) {
      log.warn("Metadata of {} in realm {}: {}", entityId, realm, problem);
      try {
        record("-", false, problem);
      } catch (AuditUnavailable e) {
        log.error("The audit log cannot be written", e);
      }
    }
    return tools.plan().afterFailure(failures, state instanceof MetadataState.Usable);
  }

  private void record(String revision, boolean accepted, String detail) {
    tools
        .audit()
        .record(
            new AuditEvent.ConfigurationChanged(
                new AuditEvent.Context(realm, "-", Optional.empty()),
                "metadata of " + entityId,
                revision,
                accepted,
                detail));
  }

  private void restore() {
    if (!(source instanceof MetadataSource.Url(URI url, Optional<Path> verifyWith, Duration refresh))) {
      return;
    }
    try {
      Optional<MetadataCache.CachedDocument> kept = tools.kept().read(realm, entityId, url.toString());
      kept.flatMap(k -> take(k.document(), verifyWith, false))
          .ifPresent(
              metadata ->
                  state = new MetadataState.Usable(metadata, kept.orElseThrow().fetchedAt(), Optional.empty()));
    } catch (IOException e) {
      log.warn("Cached metadata of {} in realm {} cannot be read", entityId, realm, e);
    }
    failures = 0;
  }

  private void keep(byte[] document) {
    try {
      tools.kept().write(realm, entityId, sourceName(), document);
    } catch (IOException e) {
      // The document stays in use from memory; only a restart while the partner's server is down would miss it.
      log.warn("Metadata of {} in realm {} cannot be stored in the data directory", entityId, realm, e);
    }
  }

  private String sourceName() {
    return switch (source) {
      case MetadataSource.File file -> file.path().toString();
      case MetadataSource.Url url -> url.url().toString();
    };
  }
}
