package dev.gatehouse.common.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.logout.LogoutNotice.Problem;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.DueStore.Work;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that partners have yet to get: kept durably, sent at once and again after 10 s, 1, 5 and 30 minutes and then each
 * hour, until the partner confirms, or {@link LogoutNotice#giveUpAt} has come. Of parallel callers and nodes one sends.
 *
 * <p>Each partner's outcome is in the audit log: {@code failed} or {@code unreachable} after the first try where that failed,
 * then {@code done} or {@code given-up}.
 */
public final class LogoutNotices implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogoutNotices.class);

  private static final List<Duration> BACK_OFF =
      List.of(
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(1));

  /** Longer than any try takes. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** Notices kept at most: with more, partners are told once and no more. */
  private static final long MOST = 100_000;

  /** Tries in the background at the same time. */
  private static final int AT_ONCE = 32;

  private final DueStore<LogoutNotice> store;
  private final LogoutDelivery delivery;
  private final BiConsumer<String, LogoutDeliveryResult> onTold;
  private final AuditLog audit;
  private final InstantSource clock;
  private final PartnerPauses pauses = new PartnerPauses();
  private final Semaphore slots = new Semaphore(AT_ONCE);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("gatehouse-logout-", 0).factory());
  private Optional<RepeatedTask> background = Optional.empty();

  /** @param onTold hears of each try that needs no other one, by the notice's key */
  public LogoutNotices(
      DueStore<LogoutNotice> store,
      LogoutDelivery delivery,
      BiConsumer<String, LogoutDeliveryResult> onTold,
      AuditLog audit,
      InstantSource clock) {
    this.store = store;
    this.delivery = delivery;
    this.onTold = onTold;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Makes durable that a partner has to be told, in the background from {@code due} on, unless it is told before. Whoever
   * keeps it twice under one key keeps it once. False where too many wait already.
   */
  public boolean keep(String key, String realm, LogoutNotice notice, Instant due) {
    if (store.count() >= MOST) {
      LOG.error("{} logout notices wait; {} of realm {} will be told once only", MOST, notice.partner(), realm);
      return false;
    }
    store.add(new Work<>(key, realm, notice, due));
    return true;
  }

  /** Keeps it and sends it now, on another thread. */
  public CompletableFuture<LogoutDeliveryResult> tell(String key, String realm, LogoutNotice notice) {
    boolean kept = keep(key, realm, notice, clock.instant().plus(LEASE));
    return CompletableFuture.supplyAsync(() -> attempt(key, realm, notice, kept), threads);
  }

  /** Sends what is kept under the key now, on another thread, if it is there. */
  public void hurry(String key) {
    Optional<Work<LogoutNotice>> work = store.find(key);
    if (work.isPresent() && store.replace(key, work.get().value(), clock.instant().plus(LEASE))) {
      threads.execute(() -> attempt(key, work.get().group(), work.get().value(), true));
    }
  }

  /** The partner has heard of it in another way; false where nothing was kept under that key any more. */
  public boolean withdraw(String key) {
    return store.remove(key);
  }

  /** What is kept under the key, as of its last try. */
  public Optional<LogoutNotice> find(String key) {
    return store.find(key).map(Work::value);
  }

  /** Those of a realm that wait, in the order of their keys; see {@link DueStore#page}. */
  public List<Work<LogoutNotice>> page(String realm, String after, int most) {
    return store.page(realm, after, most);
  }

  /** How many of a realm wait. */
  public long count(String realm) {
    return store.count(realm);
  }

  /** Sends all that is due and waits until each was tried; returns how many there were. Nothing once it is closed. */
  public int tend() {
    List<CompletableFuture<LogoutDeliveryResult>> tries = new ArrayList<>();
    try {
      for (List<Work<LogoutNotice>> due = claim(); !due.isEmpty() && !threads.isShutdown(); due = claim()) {
        for (Work<LogoutNotice> work : due) {
          tries.add(CompletableFuture.supplyAsync(() -> attemptInSlot(work), threads));
        }
      }
      tries.forEach(CompletableFuture::join);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      // Closed in between: what was claimed is due again after its lease.
      LOG.debug("closed while notices were due", e);
    }
    return tries.size();
  }

  /** As many as can be sent at the moment: what is claimed must not wait for longer than its lease. */
  private List<Work<LogoutNotice>> claim() throws InterruptedException {
    slots.acquire();
    int more = slots.drainPermits();
    List<Work<LogoutNotice>> claimed = List.of();
    try {
      claimed = store.claim(1 + more, LEASE);
    } finally {
      slots.release(1 + more - claimed.size());
    }
    return claimed;
  }

  private LogoutDeliveryResult attemptInSlot(Work<LogoutNotice> work) {
    try {
      return attempt(work.key(), work.group(), work.value(), true);
    } finally {
      slots.release();
    }
  }

  private LogoutDeliveryResult attempt(String key, String realm, LogoutNotice notice, boolean kept) {
    Instant now = clock.instant();
    Optional<Instant> pause = pauses.until(realm, notice.partner(), now);
    if (pause.isPresent() && kept && now.isBefore(notice.giveUpAt())) {
      Problem problem = new Problem(false, "not tried, as it did not answer others");
      store.replace(key, notice.delayed(problem), pause.get());
      recordFirst(realm, notice, "unreachable");
      return new LogoutDeliveryResult.Unreachable(problem.text());
    }
    LogoutDeliveryResult told = deliver(realm, notice);
    switch (told) {
      case LogoutDeliveryResult.Done done -> settled(key, realm, notice, kept, told, "done");
      case LogoutDeliveryResult.Partial partial -> settled(key, realm, notice, kept, told, "failed");
      case LogoutDeliveryResult.Impossible impossible -> settled(key, realm, notice, kept, told, "unreachable");
      case LogoutDeliveryResult.Failed(String problem) -> later(key, realm, notice, new Problem(true, problem));
      case LogoutDeliveryResult.Unreachable(String problem) -> later(key, realm, notice, new Problem(false, problem));
    }
    return told;
  }

  private LogoutDeliveryResult deliver(String realm, LogoutNotice notice) {
    LogoutDeliveryResult told;
    try {
      told = delivery.deliver(realm, notice);
    } catch (RuntimeException e) {
      LOG.error("Telling {} of a logout failed", notice.partner(), e);
      told = new LogoutDeliveryResult.Unreachable("a fault of ours: " + e.getClass().getSimpleName());
    }
    if (told instanceof LogoutDeliveryResult.Unreachable) {
      pauses.failed(realm, notice.partner(), clock.instant());
    } else {
      pauses.answered(realm, notice.partner());
    }
    return told;
  }

  private void settled(String key, String realm, LogoutNotice notice, boolean kept, LogoutDeliveryResult told, String outcome) {
    // Who removes it has the last word: a browser may have told the partner at the same time.
    if (store.remove(key) || !kept) {
      onTold.accept(key, told);
      record(realm, notice, outcome);
    }
  }

  private void later(String key, String realm, LogoutNotice notice, Problem problem) {
    Instant now = clock.instant();
    LOG.info("{} was not told of a logout, try {}: {}", notice.partner(), notice.tries() + 1, printable(problem.text()));
    recordFirst(realm, notice, problem.answered() ? "failed" : "unreachable");
    if (!now.isBefore(notice.giveUpAt())) {
      if (store.remove(key)) {
        record(realm, notice, "given-up");
      }
      return;
    }
    Instant next = now.plus(BACK_OFF.get(Math.min(notice.tries(), BACK_OFF.size() - 1)));
    store.replace(key, notice.tried(problem), next.isBefore(notice.giveUpAt()) ? next : notice.giveUpAt());
  }

  private void recordFirst(String realm, LogoutNotice notice, String outcome) {
    if (notice.problem().isEmpty()) {
      record(realm, notice, outcome);
    }
  }

  private void record(String realm, LogoutNotice notice, String outcome) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    audit.record(new AuditEvent.LogoutPropagated(context, notice.partner(), notice.person(), outcome));
  }

  /** A partner's words may be among them. */
  private static String printable(String text) {
    return (text.length() > 300 ? text.substring(0, 300) : text).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /** From now on {@link #tend} every second, until it is closed; not where somebody else sees to that. */
  public synchronized void start() {
    background = Optional.of(RepeatedTask.begin("logout-notices", this::tend));
  }

  /** Breaks off what is being sent: it stays kept and goes out after the next start. */
  @Override
  public synchronized void close() {
    threads.shutdownNow();
    background.ifPresent(RepeatedTask::close);
    try {
      if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("Logout notices were still being sent when the node stopped");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
