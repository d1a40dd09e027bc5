package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.effect.RecordedDecision.Asked;
import dev.gatehouse.gateway.effect.RecordedDecision.Asker;
import dev.gatehouse.gateway.effect.RecordedDecision.Waiting;
import dev.gatehouse.gateway.policy.RequestAttributes;
import dev.gatehouse.gateway.route.AddressedHost;
import dev.gatehouse.sp.session.AppSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records distinct decisions of the day in a file. A request's thread only looks whether its decision is recorded already; if not, it
 * hands it to one thread that writes. What this thread cannot take is lost and counted.
 */
final class FileDecisionRecorder implements DecisionRecorder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FileDecisionRecorder.class);

  /** Longer paths are not recorded. */
  static final int LONGEST_PATH = 2048;

  private static final int QUEUE = 4096;
  private static final long FLUSH_MILLIS = 500;

  /**
   * The bounds of one day; above them, every other decision is dropped.
   *
   * @param decisions distinct ones
   * @param bytes of the file
   */
  record Limits(int decisions, long bytes) {
    static final Limits USUAL = new Limits(1_000_000, 256 << 20);
  }

  private final DecisionFiles files;
  private final InstantSource time;
  private final BooleanSupplier spaceIsLow;
  private final Limits limits;
  private final long seed;
  private final BlockingQueue<Optional<Waiting>> queue = new ArrayBlockingQueue<>(QUEUE);
  private final LongAdder lost = new LongAdder();
  private final LogThrottle failures = new LogThrottle();
  private final Thread thread;

  private volatile LongSet seen = new LongSet();
  private volatile int halvings;
  private volatile boolean closing;
  private volatile long lostBeforeYesterday;

  // Used by the thread that writes only.
  private LocalDate day = LocalDate.MIN;
  private DecisionFile file;
  private long lostBeforeToday;
  private final List<RecordedDecision> block = new ArrayList<>();
  private final Map<String, Named> names = new HashMap<>();

  private record Named(Realm realm, AttributeNames names) {}

  FileDecisionRecorder(DecisionFiles files, SealingKey sealing, InstantSource time, BooleanSupplier spaceIsLow, Limits limits) {
    this.files = files;
    this.time = time;
    this.spaceIsLow = spaceIsLow;
    this.limits = limits;
    this.seed = ByteBuffer.wrap(sealing.derive("HmacSHA256", "decisions", "fingerprints").getEncoded()).getLong();
    this.file = files.of(today());
    this.thread = Thread.ofPlatform().name("gatehouse-decisions").daemon().start(this::run);
  }

  @Override
  public void person(AppSession session, int account, AddressedHost to, String route, RequestAttributes request, boolean permitted) {
    long person = Fingerprint.with(seed, 31 * session.person().value().hashCode() + account);
    long fingerprint = fingerprint(person, to, route, request, permitted);
    if (isNew(fingerprint)) {
      Realm realm = to.site().realm();
      Asker asker = Asker.of(realm.name(), session, request.lastUse(session.id()));
      record(fingerprint, asker, to, route, request, permitted);
    }
  }

  @Override
  public void holder(TokenHolder holder, AddressedHost to, String route, RequestAttributes request, boolean permitted) {
    int account = 31 * (31 * holder.account().hashCode() + holder.scopes().hashCode()) + holder.acr().hashCode();
    long person = Fingerprint.with(seed, 31 * holder.subject().hashCode() + account);
    long fingerprint = fingerprint(person, to, route, request, permitted);
    if (isNew(fingerprint)) {
      record(fingerprint, Asker.of(to.site().realm().name(), holder), to, route, request, permitted);
    }
  }

  private static long fingerprint(long person, AddressedHost to, String route, RequestAttributes request, boolean permitted) {
    long hash = Fingerprint.with(person, 31 * to.site().realm().name().hashCode() + route.hashCode());
    hash = Fingerprint.with(hash, 31 * to.origin().host().hashCode() + to.origin().port());
    hash = Fingerprint.with(hash, 2 * request.method().hashCode() + (permitted ? 1 : 0));
    return Fingerprint.with(hash, request.path());
  }

  private boolean isNew(long fingerprint) {
    return Fingerprint.isSampled(fingerprint, halvings) && !seen.contains(fingerprint);
  }

  private void record(long fingerprint, Asker asker, AddressedHost to, String route, RequestAttributes request, boolean permitted) {
    String path = request.path();
    if (path.length() > LONGEST_PATH || request.method().length() > LONGEST_PATH) {
      lost.increment();
      return;
    }
    Asked asked = new Asked(to.origin().toString(), request.method(), path, request.client().getHostAddress(), route);
    long now = request.now().toEpochMilli();
    Waiting waiting = new Waiting(to.site().realm(), new RecordedDecision(fingerprint, now, asker, asked, permitted));
    if (!queue.offer(Optional.of(waiting))) {
      lost.increment();
    }
  }

  /** Returns how many decisions could not be recorded since the start; repeated ones count again. */
  long lost() {
    return lost.sum();
  }

  /** Returns how many of them are of today and yesterday, so that an old trouble does not reduce the coverage for ever. */
  long lostRecently() {
    return lost.sum() - lostBeforeYesterday;
  }

  /** Returns the number of decisions of today's sample. */
  int recorded() {
    return seen.size();
  }

  private LocalDate today() {
    return LocalDate.ofInstant(time.instant(), ZoneOffset.UTC);
  }

  private void run() {
    Instant flushed = time.instant();
    while (!closing || !queue.isEmpty()) {
      try {
        beginDay();
        @Nullable Optional<Waiting> next = queue.poll(FLUSH_MILLIS, TimeUnit.MILLISECONDS);
        beginDay();
        if (next != null) {
          next.ifPresent(this::take);
        }
        Instant now = time.instant();
        if (next == null || block.size() == DecisionFile.BLOCK || now.isAfter(flushed.plusMillis(2 * FLUSH_MILLIS))) {
          flush();
          flushed = now;
        }
      } catch (InterruptedException e) {
        closing = true;
      } catch (RuntimeException e) {
        failed(e);
      }
    }
    flush();
  }

  private void beginDay() {
    LocalDate today = today();
    if (today.equals(day)) {
      return;
    }
    flush();
    day = today;
    lostBeforeYesterday = lostBeforeToday;
    lostBeforeToday = lost.sum();
    file = files.of(today);
    halvings = 0;
    LongSet fresh = new LongSet();
    seen = fresh;
    names.clear();
    try {
      files.begin(today);
      halvings = file.halvings();
      file.forEach(decision -> fresh.add(decision.fingerprint()));
    } catch (IOException e) {
      failed(e);
    }
  }

  private void take(Waiting waiting) {
    long fingerprint = waiting.decision().fingerprint();
    if (Fingerprint.isSampled(fingerprint, halvings) && seen.add(fingerprint)) {
      block.add(waiting.decision().with(names(waiting.realm())));
      if (seen.size() > limits.decisions()) {
        flush();
        halve();
      }
    }
  }

  private AttributeNames names(Realm realm) {
    Named known = names.get(realm.name());
    if (known != null && known.realm() == realm) {
      return known.names();
    }
    AttributeNames fresh = AttributeNames.of(realm);
    names.put(realm.name(), new Named(realm, fresh));
    return fresh;
  }

  /** Writes what waits. A block that cannot be written waits for the next time, until it is full. */
  private void flush() {
    if (block.isEmpty()) {
      return;
    }
    try {
      if (spaceIsLow.getAsBoolean()) {
        throw new IOException("space is low");
      }
      file.append(block, halvings);
      block.clear();
      if (file.bytes() > limits.bytes()) {
        halve();
      }
    } catch (IOException | RuntimeException e) {
      failed(e);
      if (block.size() >= DecisionFile.BLOCK) {
        lost.add(block.size());
        block.clear();
      }
    }
  }

  /** Keeps every other decision, of those to come as well. */
  private void halve() {
    int more = halvings + 1;
    halvings = more;
    block.removeIf(decision -> !Fingerprint.isSampled(decision.fingerprint(), more));
    seen = seen.sampled(more);
    try {
      file.thin(more);
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  private void failed(Exception e) {
    failures.count().ifPresent(times -> LOG.warn("Decisions are not recorded for plans ({} failures since the start): {}", times, e.toString()));
  }

  @Override
  public void close() {
    closing = true;
    // Wakes the thread; if the queue is full, it is awake.
    boolean woken = queue.offer(Optional.empty());
    try {
      thread.join(woken ? 5_000 : 10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
