package dev.gatehouse.gateway.admin.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.job.JobWork.JobFailed;
import dev.gatehouse.gateway.admin.job.Jobs.JobRequest;
import dev.gatehouse.gateway.admin.web.AdminAudit;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.QueryTimeoutException;

/** Jobs run, end, are cancelled, seen by those who may, and known after a restart. */
@Timeout(60)
class JobsTest {

  private static final AdminRights ALL = rights("admin");

  @TempDir Path folder;
  private final TestTime time = new TestTime();
  private final RecordingAuditLog audit = new RecordingAuditLog();
  private final CountDownLatch gate = new CountDownLatch(1);

  /** What the administrator may do now. */
  private final AtomicReference<Optional<AdminRights>> present = new AtomicReference<>(Optional.of(ALL));

  private static AdminRights rights(String grant) {
    return new AdminRights("ann", List.of(AdministratorGrant.parse(grant)));
  }

  private Jobs jobs() {
    return new Jobs(new JobsInFile(Optional.of(folder.resolve("jobs.json"))), begun -> present::get, new AdminAudit(audit), time, RandomGenerator.of("SplittableRandom"));
  }

  private static JobRequest request(String kind, Optional<String> realm) {
    return new JobRequest(kind, realm, AdministratorRole.OPERATOR, "steps", ALL);
  }

  /** Works until the gate opens; then a cancelled job notices it. */
  private Map<String, Object> work(JobWork.JobProgress progress) throws InterruptedException {
    progress.at(1, 2);
    gate.await();
    progress.at(2, 2);
    return Map.of("steps", 2);
  }

  private static JobView ended(Jobs jobs, String id) {
    Eventually.holds(() -> !jobs.find(id, ALL).isRunning());
    return jobs.find(id, ALL);
  }

  @Test
  void aJobSaysHowFarItIsAndWhatCameOfIt() {
    try (Jobs jobs = jobs()) {
      JobView started = jobs.start(request("copy", Optional.empty()), this::work);
      assertThat(started.state()).isEqualTo("running");
      Eventually.holds(() -> jobs.find(started.id(), ALL).progress().percent() == 50);
      gate.countDown();
      JobView done = ended(jobs, started.id());
      assertThat(done.state()).isEqualTo("succeeded");
      assertThat(done.result()).contains(Map.of("steps", 2));
      assertThat(done.endedAt()).contains(TestTime.START);
      Eventually.holds(() -> !audit.events(Administered.class).isEmpty());
      assertThat(audit.events(Administered.class).getLast().details()).containsEntry("state", "succeeded").containsEntry("kind", "copy");
    }
  }

  /** Nothing interrupts a virtual thread that computes: two jobs would hold the carriers of a node with two processors. */
  @Test
  void aJobHoldsNoCarrier() {
    try (Jobs jobs = jobs()) {
      String id = jobs.start(request("copy", Optional.empty()), progress -> Map.of("virtual", Thread.currentThread().isVirtual())).id();
      assertThat(ended(jobs, id).result()).contains(Map.of("virtual", false));
    }
  }

  @Test
  void aCancelledJobEndsAtItsNextStep() {
    try (Jobs jobs = jobs()) {
      String id = jobs.start(request("copy", Optional.empty()), this::work).id();
      assertThat(jobs.cancel(id, ALL).state()).isEqualTo("running");
      gate.countDown();
      assertThat(ended(jobs, id).state()).isEqualTo("cancelled");
      assertThatThrownBy(() -> jobs.cancel(id, ALL)).isInstanceOf(Conflict.class).hasMessageContaining("cancelled");
    }
  }

  @Test
  void aJobEndsAtItsNextStepWhenTheRightsOfItsAdministratorEnd() {
    for (Optional<AdminRights> left : List.of(Optional.<AdminRights>empty(), Optional.of(rights("operator@other")), Optional.of(rights("viewer")))) {
      present.set(Optional.of(ALL));
      audit.clear();
      try (Jobs jobs = jobs()) {
        CountDownLatch open = new CountDownLatch(1);
        String id =
            jobs.start(
                    request("copy", Optional.of("demo")),
                    progress -> {
                      progress.at(1, 5);
                      open.await();
                      // Small steps look every 20 ms.
                      while (true) {
                        progress.at(2, 5);
                        Thread.sleep(1);
                      }
                    })
                .id();
        Eventually.holds(() -> jobs.find(id, ALL).progress().done() == 1);
        present.set(left);
        open.countDown();
        JobView end = ended(jobs, id);
        assertThat(end.state()).isEqualTo("failed");
        assertThat(end.problem().orElse("")).contains("The role operator", "was taken away from ann", "after 2 of 5 steps");
        Eventually.holds(() -> !audit.events(Administered.class).isEmpty());
        assertThat(audit.events(Administered.class).getLast().details())
            .containsEntry("state", "failed").containsEntry("reason", "RIGHTS_WITHDRAWN").containsEntry("done", "2");
      }
    }
  }

  @Test
  void rightsThatCannotBeReadForAMomentEndNoJob() {
    AtomicInteger asked = new AtomicInteger();
    Jobs.PresentRights away =
        begun ->
            () -> {
              asked.incrementAndGet();
              throw new QueryTimeoutException("the test's");
            };
    try (Jobs jobs =
        new Jobs(new JobsInFile(Optional.empty()), away, new AdminAudit(audit), time, RandomGenerator.of("SplittableRandom"))) {
      CountDownLatch went = new CountDownLatch(1);
      CountDownLatch later = new CountDownLatch(1);
      String id =
          jobs.start(
                  request("copy", Optional.empty()),
                  progress -> {
                    progress.at(1, 2);
                    went.countDown();
                    later.await();
                    while (true) {
                      progress.at(2, 2);
                      Thread.sleep(1);
                    }
                  })
              .id();
      Eventually.holds(() -> went.getCount() == 0);
      assertThat(asked).hasValue(1);
      assertThat(jobs.find(id, ALL).isRunning()).isTrue();
      time.advance(Duration.ofSeconds(31));
      later.countDown();
      assertThat(ended(jobs, id).state()).isEqualTo("failed");
      assertThat(asked).hasValue(2);
    }
  }

  @Test
  void aFailureHasASentenceAndAFaultAReference() {
    try (Jobs jobs = jobs()) {
      String failed =
          jobs.start(
                  request("copy", Optional.empty()),
                  progress -> {
                    throw new JobFailed("The disk is full.");
                  })
              .id();
      assertThat(ended(jobs, failed).problem()).contains("The disk is full.");
      String fault =
          jobs.start(
                  request("copy", Optional.empty()),
                  progress -> {
                    throw new IllegalStateException("password=hunter2");
                  })
              .id();
      assertThat(ended(jobs, fault).problem().orElse("")).contains(fault).doesNotContain("hunter2");
    }
  }

  @Test
  void oneOfAKindAndAFewAtATime() {
    try (Jobs jobs = jobs()) {
      String first = jobs.start(request("copy", Optional.empty()), this::work).id();
      assertThatThrownBy(() -> jobs.start(request("copy", Optional.empty()), this::work)).isInstanceOf(Conflict.class).hasMessageContaining(first);
      for (int i = 1; i < Jobs.MOST_RUNNING; i++) {
        jobs.start(request("copy", Optional.of("realm" + i)), this::work);
      }
      assertThatThrownBy(() -> jobs.start(request("other", Optional.empty()), this::work)).isInstanceOf(Conflict.class).hasMessageContaining("4 jobs run");
      gate.countDown();
      Eventually.holds(() -> jobs.visible(ALL).stream().noneMatch(JobView::isRunning));
    }
  }

  @Test
  void aJobIsSeenByThoseWhoMightHaveStartedIt() {
    gate.countDown();
    try (Jobs jobs = jobs()) {
      String ofNode = jobs.start(request("copy", Optional.empty()), this::work).id();
      String ofRealm = jobs.start(request("copy", Optional.of("demo")), this::work).id();
      assertThat(jobs.visible(rights("operator"))).hasSize(2);
      assertThat(jobs.visible(rights("operator@demo"))).extracting(JobView::id).containsExactly(ofRealm);
      assertThat(jobs.visible(rights("viewer"))).isEmpty();
      assertThat(jobs.visible(rights("admin@other"))).isEmpty();
      assertThatThrownBy(() -> jobs.find(ofNode, rights("admin@demo"))).isInstanceOf(NotFound.class);
      assertThatThrownBy(() -> jobs.cancel(ofRealm, rights("admin@other"))).isInstanceOf(NotFound.class);
    }
  }

  @Test
  void afterARestartAJobIsInterruptedOrEndedAsItWas() throws IOException {
    String done;
    String running;
    try (Jobs jobs = jobs()) {
      CountDownLatch open = new CountDownLatch(0);
      done =
          jobs.start(
                  request("short", Optional.empty()),
                  progress -> {
                    open.await();
                    return Map.of("files", 3);
                  })
              .id();
      ended(jobs, done);
      running = jobs.start(request("copy", Optional.of("demo")), this::work).id();
      // Not closed in order, as by kill -9.
      try (Jobs next = jobs()) {
        assertThat(next.find(done, ALL).result()).contains(Map.of("files", 3));
        JobView interrupted = next.find(running, ALL);
        assertThat(interrupted.state()).isEqualTo("interrupted");
        assertThat(interrupted.problem().orElse("")).contains("The node ended");
        assertThat(next.visible(rights("operator@demo"))).hasSize(1);
      }
      gate.countDown();
    }
    Files.writeString(folder.resolve("jobs.json"), "[{\"view\":null}");
    try (Jobs damaged = jobs()) {
      assertThat(damaged.visible(ALL)).isEmpty();
    }
  }

  @Test
  void onlySomeThatHaveEndedAreRemembered() {
    gate.countDown();
    try (Jobs jobs = jobs()) {
      for (int i = 0; i < Jobs.MOST_ENDED + 5; i++) {
        ended(jobs, jobs.start(request("copy", Optional.empty()), this::work).id());
      }
      assertThat(jobs.visible(ALL)).hasSize(Jobs.MOST_ENDED);
    }
  }

  /** Jobs of several nodes, of which this test wants to know only when they begin. */
  private static final class SharedRecords implements JobRecords {
    private final AtomicBoolean begun = new AtomicBoolean();

    @Override
    public boolean areShared() {
      return true;
    }

    @Override
    public void begin() {
      begun.set(true);
    }

    @Override
    public Optional<String> add(Remembered job) {
      return Optional.empty();
    }

    @Override
    public boolean note(Remembered job) {
      return true;
    }

    @Override
    public void end(Remembered job) {}

    @Override
    public boolean cancel(String id) {
      return false;
    }

    @Override
    public List<Remembered> all() {
      return List.of();
    }
  }

  @Test
  void aNodeThatStartsAgainMarksWhatItLeftBeforeAnybodyAsksIt() throws Exception {
    SharedRecords records = new SharedRecords();
    try (Jobs again = new Jobs(records, begun -> present::get, new AdminAudit(audit), time, RandomGenerator.of("SplittableRandom"))) {
      Eventually.holds(records.begun::get);
      assertThat(again.visible(ALL)).isEmpty();
    }
  }
}
