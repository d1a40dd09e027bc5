package dev.gatehouse.gateway.admin.job;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.gateway.admin.job.JobRecords.Remembered;
import dev.gatehouse.gateway.admin.job.JobView.Progress;
import dev.gatehouse.gateway.admin.job.JobView.State;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.JobWork.RightsWithdrawn;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * The jobs of administrators. Each runs at the node where it was started; where several nodes share their stores, all of them show it and
 * can cancel it. A job is seen and cancelled by those who might have started it.
 */
public final class Jobs implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

  /** Jobs at the same time. */
  static final int MOST_RUNNING = 4;

  /** The time that the end of the node waits for the next step of a job. */
  private static final Duration LAST_STEP = Duration.ofSeconds(2);

  /** Jobs that have ended and are remembered. */
  static final int MOST_ENDED = 100;

  /**
   * What a job is for.
   *
   * @param kind like {@code audit.archive}; at most one job of a kind and realm runs at a time, at all nodes
   * @param realm empty if it concerns the node: then each node may run one
   * @param role that it needs, in the realm or in all realms
   * @param unit of its progress
   * @param rights of the administrator who starts it; the job ends when they do not include the role any more
   */
  public record JobRequest(String kind, Optional<String> realm, AdministratorRole role, String unit, AdminRights rights) {

    String administrator() {
      return rights.administrator();
    }

    private boolean permits(AdminRights now) {
      return realm.map(name -> now.may(role, name)).orElseGet(() -> now.mayEverywhere(role));
    }
  }

  /** Finds out what an administrator may do while a job runs. */
  interface PresentRights {

    /** Begins with the rights of the request; what is returned tells those of now, and none if all were taken away. */
    Supplier<Optional<AdminRights>> of(AdminRights begun);
  }

  /** Work of small steps looks no more often whether the rights are still there. */
  private static final Duration RIGHTS_COUNT = Duration.ofMillis(20);

  /** For so long the rights that were known last count while nobody can read them. */
  private static final Duration RIGHTS_UNREAD = Duration.ofSeconds(30);

  private final JobRecords records;
  private final PresentRights rights;
  private final AdminAudit audit;
  private final InstantSource time;
  private final RandomGenerator random;
  private final List<RunningJob> running = new ArrayList<>();
  // Ends that could not be noted yet.
  private final List<Remembered> unnoted = new ArrayList<>();
  private final Optional<RepeatedTask> noting;
  private boolean closed;

  Jobs(JobRecords records, PresentRights rights, AdminAudit audit, InstantSource time, RandomGenerator random) {
    this.records = records;
    this.rights = rights;
    this.audit = audit;
    this.time = time;
    this.random = random;
    this.noting =
        records.areShared()
            ? Optional.of(RepeatedTask.begin("jobs", "The other nodes cannot be told how far the jobs of this node are", this::note))
            : Optional.empty();
  }

  /** Starts a job; throws {@link Conflict} if one of its kind runs, or too many. */
  public synchronized JobView start(JobRequest request, JobWork work) {
    Optional<RunningJob> same =
        running.stream()
            .filter(job -> job.request.kind().equals(request.kind()) && job.request.realm().equals(request.realm()))
            .findFirst();
    if (same.isPresent()) {
      throw new Conflict("The job " + same.get().id + " does this at the moment. Wait until it has ended, or cancel it.");
    }
    if (running.size() >= MOST_RUNNING || closed) {
      throw new Conflict(MOST_RUNNING + " jobs run on this node at the moment. Wait until one has ended, or cancel one.");
    }
    RunningJob job = new RunningJob(request, String.format("%016x", random.nextLong()));
    records
        .add(job.remembered())
        .ifPresent(
            other -> {
              throw new Conflict("The job " + other + " does this at another node at the moment. Wait until it has ended, or cancel it.");
            });
    running.add(job);
    JobView view = job.view();
    // A job may compute for minutes: on a virtual thread it would hold one of the few carriers of everybody's requests.
    job.thread = Thread.ofPlatform().daemon().name("job " + job.id).start(() -> job.run(work));
    return view;
  }

  /** Returns the jobs that the administrator may see, the newest first. */
  public List<JobView> visible(AdminRights rights) {
    return all()
        .filter(job -> isVisible(job, rights))
        .map(Remembered::view)
        .sorted(Comparator.comparing(JobView::startedAt).reversed())
        .toList();
  }

  /** Returns a job; throws {@link NotFound} if there is none that the administrator may see. */
  public JobView find(String id, AdminRights rights) {
    return all()
        .filter(job -> job.view().id().equals(id) && isVisible(job, rights))
        .map(Remembered::view)
        .findFirst()
        .orElseThrow(() -> new NotFound("There is no such job, or it has ended and is forgotten."));
  }

  /** Cancels a job, which ends at its next step; throws {@link Conflict} if it has ended. */
  public JobView cancel(String id, AdminRights rights) {
    JobView view = find(id, rights);
    audit.record(view.realm().orElse(AdminRights.NODE), rights.administrator(), "job.cancel", Map.of("job", id, "kind", view.kind()));
    Optional<RunningJob> here = cancelHere(id);
    if (here.isPresent()) {
      return here.get().view();
    }
    if (!records.cancel(id)) {
      throw new Conflict("The job has ended: it is " + find(id, rights).state() + ".");
    }
    return view;
  }

  private synchronized Optional<RunningJob> cancelHere(String id) {
    Optional<RunningJob> job = running.stream().filter(one -> one.id.equals(id)).findFirst();
    job.ifPresent(found -> found.cancelled = true);
    return job;
  }

  private static boolean isVisible(Remembered job, AdminRights rights) {
    return job.view().realm().map(realm -> rights.may(job.role(), realm)).orElseGet(() -> rights.mayEverywhere(job.role()));
  }

  /** Returns what is recorded, with what this node knows better. */
  private Stream<Remembered> all() {
    Map<String, Remembered> jobs = new LinkedHashMap<>();
    records.all().forEach(job -> jobs.put(job.view().id(), job));
    own().forEach(job -> jobs.put(job.view().id(), job));
    return jobs.values().stream();
  }

  private synchronized List<Remembered> own() {
    return Stream.concat(unnoted.stream(), running.stream().map(RunningJob::remembered)).toList();
  }

  private synchronized void end(RunningJob job, Remembered outcome) {
    running.remove(job);
    // A node that is ending leaves the job as it was: it counts as interrupted.
    if (!closed) {
      unnoted.add(outcome);
      try {
        noteEnds();
      } catch (DataAccessException | TransactionException e) {
        LOG.warn("The end of the job {} is noted later", job.id, e);
      }
    }
  }

  private void noteEnds() {
    while (!unnoted.isEmpty()) {
      records.end(unnoted.getFirst());
      unnoted.removeFirst();
    }
  }

  private void note() {
    // Before anybody asks this node: the others show what it did when it was killed as running.
    records.begin();
    List<RunningJob> jobs;
    synchronized (this) {
      noteEnds();
      jobs = List.copyOf(running);
    }
    for (RunningJob job : jobs) {
      if (!records.note(job.remembered())) {
        job.cancelled = true;
      }
    }
  }

  /** Ends what runs at its next step; the next start says so. Threads are not interrupted: that would close files of the audit log. */
  @Override
  public void close() {
    noting.ifPresent(RepeatedTask::close);
    List<Thread> threads;
    synchronized (this) {
      closed = true;
      running.forEach(job -> job.cancelled = true);
      threads = running.stream().map(job -> job.thread).toList();
    }
    try {
      for (Thread thread : threads) {
        thread.join(LAST_STEP);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A job that runs. */
  private final class RunningJob {
    private final JobRequest request;
    private final String id;
    private final JobView beginning;
    private volatile Progress progress;
    private volatile boolean cancelled;
    private final Supplier<Optional<AdminRights>> present;
    private Instant known = time.instant();
    private long looked = System.nanoTime() - RIGHTS_COUNT.toNanos();
    private Thread thread = Thread.currentThread();

    RunningJob(JobRequest request, String id) {
      this.request = request;
      this.id = id;
      this.progress = new Progress(0, 0, request.unit());
      this.present = rights.of(request.rights());
      this.beginning =
          new JobView(
              id, request.kind(), request.realm(), request.administrator(), State.RUNNING.word(), time.instant(), Optional.empty(), progress,
              Optional.empty(), Optional.empty());
    }

    JobView view() {
      return view(State.RUNNING, Optional.empty(), Optional.empty());
    }

    Remembered remembered() {
      return new Remembered(view(), request.role());
    }

    private JobView view(State state, Optional<Map<String, Object>> result, Optional<String> problem) {
      return new JobView(
          id, request.kind(), request.realm(), request.administrator(), state.word(), beginning.startedAt(),
          state == State.RUNNING ? Optional.empty() : Optional.of(time.instant()), progress, result, problem);
    }

    private void at(long done, long total) {
      progress = new Progress(done, total, request.unit());
      if (cancelled) {
        throw new CancellationException();
      }
      long now = System.nanoTime();
      if (now - looked >= RIGHTS_COUNT.toNanos()) {
        looked = now;
        requireRights();
      }
    }

    /** While they cannot be read, what was known a moment ago counts: a job of minutes does not fail with a database that restarts. */
    private void requireRights() {
      try {
        if (present.get().filter(request::permits).isEmpty()) {
          throw new RightsWithdrawn();
        }
        known = time.instant();
      } catch (DataAccessException | TransactionException e) {
        if (time.instant().isAfter(known.plus(RIGHTS_UNREAD))) {
          throw e;
        }
      }
    }

    void run(JobWork work) {
      Map<String, String> details = new TreeMap<>(Map.of("job", id, "kind", request.kind()));
      JobView outcome = outcome(work, details);
      details.put("state", outcome.state());
      end(this, new Remembered(outcome, request.role()));
      try {
        audit.record(
            request.realm().orElse(AdminRights.NODE), request.administrator(), "job.end", details);
      } catch (RuntimeException e) {
        LOG.error("The end of the job {} cannot be audited: it is {}", id, outcome.state(), e);
      }
    }

    private JobView outcome(JobWork work, Map<String, String> details) {
      try {
        return view(State.SUCCEEDED, Optional.of(work.run(this::at)), Optional.empty());
      } catch (RightsWithdrawn e) {
        details.put("reason", "RIGHTS_WITHDRAWN");
        details.put("done", String.valueOf(progress.done()));
        return view(
            State.FAILED, Optional.empty(),
            Optional.of(
                "The role " + request.role().word() + ", which this needs, was taken away from " + request.administrator()
                    + ": the job ended after " + progress.done() + " of " + progress.total() + " " + request.unit()
                    + ". What was done until then stays."));
      } catch (CancellationException e) {
        return view(State.CANCELLED, Optional.empty(), Optional.empty());
      } catch (JobFailed e) {
        return view(State.FAILED, Optional.empty(), Optional.ofNullable(e.getMessage()));
      } catch (Exception | Error e) {
        LOG.error("The job {} ({}) failed", id, request.kind(), e);
        return view(State.FAILED, Optional.empty(), Optional.of("The node could not do this. The log has more about the job " + id + "."));
      }
    }
  }
}
