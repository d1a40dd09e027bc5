package dev.gatehouse.common.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.logout.LogoutNotice.Problem;
import dev.gatehouse.common.store.DueStore.Work;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.common.trace.RequestTrace;
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
 * Logout notices that partners have not confirmed: stored durably, sent at once and again after 10 s, 1, 5 and 30 minutes and then
 * each hour, until the partner confirms or {@link LogoutNotice#giveUpAt} is reached. Of parallel callers and nodes only one sends.
 *
 * <p>The audit log contains each partner's outcome: {@code failed} or {@code unreachable} if the first try failed, later {@code
 * done} or {@code given-up}.
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

  /** Largest number of stored notices: beyond it, partners are notified once only. */
  private static final long MAX = 100_000;

  /** Number of parallel tries in the background. */
  private static final int AT_ONCE = 32;

  private final DueStore<LogoutNotice> store;
  private final LogoutDelivery delivery;
  private final BiConsumer<String, LogoutDeliveryResult> onResult;
  private final AuditLog audit;
  private final InstantSource clock;
  private final PartnerPauses pauses = new PartnerPauses();
  private final Semaphore slots = new Semaphore(AT_ONCE);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("gatehouse-logout-", 0).factory());
  private Optional<RepeatedTask> background = Optional.empty();

  /** @param onResult receives the final result of each notice, with its key */
  public LogoutNotices(
      DueStore<LogoutNotice> store,
      LogoutDelivery delivery,
      BiConsumer<String, LogoutDeliveryResult> onResult,
      AuditLog audit,
      InstantSource clock) {
    this.store = store;
    this.delivery = delivery;
    this.onResult = onResult;
    this.audit = audit;
    this.clock = clock;
  }

  /**
   * Stores a notice durably, to be sent in the background from {@code due} on, unless it is sent before. Storing it twice under
   * one key stores it once. Returns false if too many are stored already.
   */
  public boolean enqueue(String key, String realm, LogoutNotice notice, Instant due) {
    if (store.count() >= MAX) {
      LOG.error("{} logout notices are waiting; {} of realm {} will be notified only once", MAX, notice.partner(), realm);
      return false;
    }
    store.add(new Work<>(key, realm, notice, due));
    return true;
  }

  /** As {@link #enqueue}, to be sent in the background from now on, also if it is stored already. */
  public void enqueueNow(String key, String realm, LogoutNotice notice) {
    if (!store.replace(key, notice, clock.instant())) {
      enqueue(key, realm, notice, clock.instant());
    }
  }

  /** Stores the notice and sends it now, on another thread. */
  public CompletableFuture<LogoutDeliveryResult> deliver(String key, String realm, LogoutNotice notice) {
    boolean stored = enqueue(key, realm, notice, clock.instant().plus(LEASE));
    RequestTrace trace = RequestTrace.current();
    return CompletableFuture.supplyAsync(() -> trace.call(() -> attempt(key, realm, notice, stored)), threads);
  }

  /** Sends the notice with that key now, on another thread, if there is one. */
  public void deliverStored(String key) {
    Optional<Work<LogoutNotice>> work = store.find(key);
    if (work.isPresent() && store.replace(key, work.get().value(), clock.instant().plus(LEASE))) {
      threads.execute(() -> attempt(key, work.get().group(), work.get().value(), true));
    }
  }

  /** Removes a notice of which the partner was notified in another way; returns false if there was none any more. */
  public boolean withdraw(String key) {
    return store.remove(key);
  }

  /** Returns the notice with that key, as of its last try. */
  public Optional<LogoutNotice> find(String key) {
    return store.find(key).map(Work::value);
  }

  /** Returns pending notices of a realm, in the order of their keys; see {@link DueStore#page}. */
  public List<Work<LogoutNotice>> page(String realm, String after, int limit) {
    return store.page(realm, after, limit);
  }

  /** Returns the number of pending notices of a realm. */
  public long count(String realm) {
    return store.count(realm);
  }

  /** Sends all notices that are due, waits until each was tried, and returns their number. Sends nothing once it is closed. */
  public int deliverDue() {
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
      // Closed meanwhile: the claimed notices become due again after their lease.
      LOG.debug("closed while notices were due", e);
    }
    return tries.size();
  }

  /** Claims as many notices as can be sent at the moment: a claimed notice must not wait for longer than its lease. */
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

  private LogoutDeliveryResult attempt(String key, String realm, LogoutNotice notice, boolean stored) {
    Instant now = clock.instant();
    Optional<Instant> pause = pauses.until(realm, notice.partner(), now);
    if (pause.isPresent() && stored && now.isBefore(notice.giveUpAt())) {
      Problem problem = new Problem(false, "not tried, as it did not answer others");
      store.replace(key, notice.delayed(problem), pause.get());
      recordFirst(realm, notice, "unreachable");
      return new LogoutDeliveryResult.Unreachable(problem.text());
    }
    LogoutDeliveryResult result = deliver(realm, notice);
    switch (result) {
      case LogoutDeliveryResult.Done done -> settled(key, realm, notice, stored, result, "done");
      case LogoutDeliveryResult.Partial partial -> settled(key, realm, notice, stored, result, "failed");
      case LogoutDeliveryResult.Impossible impossible -> settled(key, realm, notice, stored, result, "unreachable");
      case LogoutDeliveryResult.Failed(String problem) -> retryLater(key, realm, notice, new Problem(true, problem));
      case LogoutDeliveryResult.Unreachable(String problem) -> retryLater(key, realm, notice, new Problem(false, problem));
    }
    return result;
  }

  private LogoutDeliveryResult deliver(String realm, LogoutNotice notice) {
    LogoutDeliveryResult result;
    try {
      result = delivery.deliver(realm, notice);
    } catch (RuntimeException e) {
      LOG.error("Notifying {} of a logout failed", notice.partner(), e);
      result = new LogoutDeliveryResult.Unreachable("a fault of ours: " + e.getClass().getSimpleName());
    }
    if (result instanceof LogoutDeliveryResult.Unreachable) {
      pauses.failed(realm, notice.partner(), clock.instant());
    } else {
      pauses.answered(realm, notice.partner());
    }
    return result;
  }

  private void settled(String key, String realm, LogoutNotice notice, boolean stored, LogoutDeliveryResult result, String outcome) {
    // The caller that removes the notice reports its result: a browser may have notified the partner at the same time.
    if (store.remove(key) || !stored) {
      onResult.accept(key, result);
      record(realm, notice, outcome);
    }
  }

  private void retryLater(String key, String realm, LogoutNotice notice, Problem problem) {
    Instant now = clock.instant();
    LOG.info("{} was not notified of a logout, try {}: {}", notice.partner(), notice.tries() + 1, printable(problem.text()));
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

  /** Makes the text safe for logs: it may contain the partner's words. */
  private static String printable(String text) {
    return (text.length() > 300 ? text.substring(0, 300) : text).replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  /** Starts calling {@link #deliverDue} every second, until it is closed. */
  public synchronized void start() {
    background = Optional.of(RepeatedTask.begin("logout-notices", "Logouts cannot be notified", this::deliverDue));
  }

  /** Interrupts deliveries under way: their notices stay stored and are sent after the next start. */
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
