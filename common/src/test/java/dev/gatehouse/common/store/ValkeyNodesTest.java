package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.throttle.FairQuota;
import dev.gatehouse.common.throttle.QuotaAccount;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with near caches on one Valkey primary with a replica. */
class ValkeyNodesTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  @TempDir private Path folder;

  private final Random random = new Random();
  private final List<ValkeyStores> opened = new ArrayList<>();
  private ValkeyServer primary;
  private ValkeyServer replica;
  private SessionStore<PlainSession> one;
  private SessionStore<PlainSession> two;

  @BeforeEach
  void start() {
    primary = ValkeyServer.start();
    replica = ValkeyServer.replicaOf(primary);
    one = node().sessions("app", PlainSession.CODEC);
    two = node().sessions("app", PlainSession.CODEC);
  }

  @AfterEach
  void stop() {
    opened.forEach(ValkeyStores::close);
    replica.close();
    primary.close();
  }

  private ValkeyStores node() {
    return node(InstantSource.system());
  }

  private ValkeyStores node(InstantSource time) {
    return node(time, primary.config("nodes", Acknowledge.REPLICA));
  }

  private ValkeyStores node(InstantSource time, ValkeyConfig config) {
    ValkeyStores stores =
        new ValkeyStores(
            config,
            new ValkeyStores.Node(
                SEALING, time, new Random(), MetricFamilies.unpublished(),
                Optional.of(folder.resolve("ends" + opened.size()))),
            probe -> Optional.empty());
    opened.add(stores);
    return stores;
  }

  private PlainSession created() {
    Instant now = Instant.ofEpochMilli(Instant.now().toEpochMilli());
    PlainSession session =
        new PlainSession(
            SessionToken.create(random).id(), "demo", new PersonId("alice"), now, now.plusSeconds(600), Set.of("a"), 0);
    one.create(session);
    return session;
  }

  /** Waits until memory says nothing or something else, and returns how long that took. */
  private static long nanosUntilGone(SessionStore<PlainSession> store, PlainSession session) throws InterruptedException {
    long begun = System.nanoTime();
    while (store.peek(session.id()).filter(session::equals).isPresent()) {
      if (System.nanoTime() - begun > Duration.ofSeconds(5).toNanos()) {
        throw new AssertionError("Still in memory");
      }
      Thread.sleep(0, 100_000);
    }
    return System.nanoTime() - begun;
  }

  @Test
  void limitsOfWhatIsKeptBeforeALoginCountForBothNodes() {
    FairQuota.Limits limits = new FairQuota.Limits(3, 4);
    List<LimitedStore<String>> nodes =
        opened.stream().map(node -> node.limited("waiting", new TextCodec(), limits, InstantSource.system())).toList();
    Instant end = Instant.now().plusSeconds(60);
    for (int i = 0; i < 6; i++) {
      FairQuota.Claim mine = new FairQuota.Claim(InetAddress.ofLiteral("192.0.2.1"), 1);
      assertThat(nodes.get(i % 2).putWithin("mine" + i, mine, "value", end)).isEmpty();
    }
    assertThat(nodes.getFirst().peek("mine2")).as("displaced by the other node's").isEmpty();
    assertThat(nodes.getLast().peek("mine3")).contains("value");
    assertThat(nodes.getFirst().putWithin("a", new FairQuota.Claim(InetAddress.ofLiteral("192.0.2.2"), 1), "value", end)).isEmpty();
    assertThat(nodes.getLast().take("mine4")).isEqualTo(new TakeResult.First<>("value"));
    assertThat(nodes.getFirst().putWithin("b", new FairQuota.Claim(InetAddress.ofLiteral("192.0.2.3"), 1), "value", end)).isEmpty();
    assertThat(nodes.getFirst().peek("mine3")).as("its place was freed at the other node").contains("value");
  }

  /** The clock of a node is two minutes ahead; after it has read a session that is over by its clock, somebody uses the session elsewhere. */
  @Test
  void anExpiredSessionThatIsTouchedMeanwhileIsNotRemovedByAFastClock() {
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    SessionStore<PlainSession> right = node().sessions("kept", PlainSession.CODEC, Expired.KEPT);
    SessionStore<PlainSession> fast =
        node(
                () -> {
                  meanwhile.getAndSet(() -> {}).run();
                  return Instant.now().plusSeconds(120);
                })
            .sessions("kept", PlainSession.CODEC, Expired.KEPT);
    Instant now = Instant.ofEpochMilli(Instant.now().toEpochMilli());
    PlainSession session = new PlainSession(SessionToken.create(random).id(), "demo", new PersonId("alice"), now, now.plusSeconds(60), Set.of("a"), 0);
    right.create(session);
    assertThat(fast.expired(10)).containsExactly(session);
    PlainSession used = session.until(now.plusSeconds(1800));
    meanwhile.set(() -> assertThat(right.update(session.id(), before -> used)).contains(used));
    assertThat(fast.endExpired(session.id())).isEmpty();
    assertThat(right.find(session.id())).contains(used);
    assertThat(fast.find(session.id())).contains(used);
    assertThat(right.byIndex("a")).containsExactly(used);
    assertThat(right.end(session.id())).contains(used);

    // Whatever happens meanwhile, one that is over for all is removed once.
    PlainSession over = new PlainSession(SessionToken.create(random).id(), "demo", new PersonId("bob"), now, now.plusMillis(1), Set.of("b"), 0);
    right.create(over);
    assertThat(fast.endExpired(over.id())).contains(over);
    assertThat(right.endExpired(over.id())).isEmpty();
  }

  /** A node changes what it has in memory; the idle end that another node has written since must stay. */
  @Test
  void aChangeOfWhatIsInMemoryKeepsTheIdleEndOfAnotherNode() {
    PlainSession session = created();
    assertThat(one.find(session.id())).contains(session);
    PlainSession later = session.until(session.expiresAt().plusSeconds(300));
    assertThat(two.update(session.id(), before -> before.until(later.expiresAt()))).contains(later);
    assertThat(one.peek(session.id())).as("a touch is not told").contains(session);
    assertThat(one.update(session.id(), before -> before.indexed("b"))).contains(later.indexed("b"));
    assertThat(two.find(session.id())).contains(later.indexed("b"));
    assertThat(one.byIndex("b")).containsExactly(later.indexed("b"));
  }

  @Test
  void whatIsInMemoryIsChangedWithoutReadingItAgain() {
    PlainSession session = created();
    assertThat(one.find(session.id())).contains(session);
    AtomicInteger tries = new AtomicInteger();
    long before = reads();
    one.update(
        session.id(),
        known -> {
          tries.incrementAndGet();
          return known.indexed("b");
        });
    assertThat(tries).hasValue(1);
    assertThat(reads()).isEqualTo(before);
    assertThat(one.find(session.id())).contains(session.indexed("b"));
    assertThat(one.end(session.id())).contains(session.indexed("b"));
    assertThat(two.find(session.id())).isEmpty();
  }

  /** How many reads of several keys the server has executed; heartbeats have none. */
  private long reads() {
    Matcher calls = Pattern.compile("cmdstat_mget:calls=(\\d+)").matcher(primary.command("INFO", "commandstats"));
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  @Test
  void whatOneEndsCountsAtTheOther() throws Exception {
    Duration p99 = p99("an end", 200, session -> assertThat(one.end(session.id())).contains(session), two);
    assertThat(p99).as("p99").isLessThan(Duration.ofMillis(50));
  }

  @Test
  void anAdministratorsEndAndAChangedSessionCountAtTheOther() throws Exception {
    Duration ended =
        p99(
            "an administrator's end",
            200,
            session -> one.byPerson("demo", session.person()).forEach(found -> assertThat(one.end(found.id())).isPresent()),
            two);
    Duration changed =
        p99("a changed session", 200, session -> assertThat(one.update(session.id(), known -> known.indexed("b"))).isPresent(), two);
    assertThat(List.of(ended, changed)).as("p99").allMatch(p99 -> p99.toMillis() < 50);
  }

  /** Revocations are read when they are needed: nothing can be late. */
  @Test
  void aRevocationCountsAtTheOtherWhenItReturns() {
    List<SingleUseStore<String>> nodes = opened.stream().map(node -> node.singleUse("revoked", new TextCodec())).toList();
    for (int i = 0; i < 100; i++) {
      assertThat(nodes.getLast().peek("token" + i)).isEmpty();
      nodes.getFirst().put("token" + i, "revoked", Instant.now().plusSeconds(60));
      assertThat(nodes.getLast().peek("token" + i)).isPresent();
    }
  }

  private Duration p99(String what, int times, Consumer<PlainSession> change, SessionStore<PlainSession> other) throws Exception {
    long[] nanos = new long[times];
    for (int i = 0; i < nanos.length; i++) {
      PlainSession session = created();
      assertThat(other.find(session.id())).contains(session);
      assertThat(other.peek(session.id())).as("in memory").contains(session);
      change.accept(session);
      assertThat(one.peek(session.id()).filter(session::equals)).as("at the node itself at once").isEmpty();
      nanos[i] = nanosUntilGone(other, session);
      assertThat(other.find(session.id()).filter(session::equals)).isEmpty();
    }
    Arrays.sort(nanos);
    Duration p99 = Duration.ofNanos(nanos[times * 99 / 100 - 1]);
    System.out.println("At the other node, p99 of " + times + " times: " + what + " after " + p99.toNanos() / 1_000 + " µs");
    return p99;
  }

  @Test
  void sharesOfHoldersCountForBothNodes() {
    List<QuotaAccount> nodes =
        opened.stream().map(node -> node.account("requests", new QuotaAccount.Limits(2, 4), InstantSource.system())).toList();
    Instant end = Instant.now().plusSeconds(60);
    assertThat(nodes.getFirst().enter("a", "mine", 1, end)).isInstanceOf(QuotaAccount.Admission.Admitted.class);
    assertThat(nodes.getLast().enter("b", "mine", 1, end)).isInstanceOf(QuotaAccount.Admission.Admitted.class);
    assertThat(nodes.getFirst().enter("c", "mine", 1, end)).isInstanceOf(QuotaAccount.Admission.Full.class);
    assertThat(nodes.getLast().leave("a")).isTrue();
    assertThat(nodes.getFirst().enter("c", "mine", 1, end)).isInstanceOf(QuotaAccount.Admission.Admitted.class);
    assertThat(primary.command("KEYS", "*")).doesNotContain("mine");
  }

  @Test
  void aUseAtOneLeavesTheMemoryOfTheOther() {
    PlainSession session = created();
    assertThat(two.find(session.id())).contains(session);
    Instant end = session.expiresAt().plusSeconds(60);
    assertThat(one.update(session.id(), old -> old.until(end))).contains(session.until(end));
    assertThat(one.find(session.id())).contains(session.until(end));
    assertThat(one.byIndex("a")).containsExactly(session.until(end));
    // A round trip after the touch: an invalidation would have arrived.
    assertThat(two.byIndex("a")).containsExactly(session.until(end));
    assertThat(two.peek(session.id())).as("not read again").contains(session);
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.until(end).touched());
    assertThat(two.byIndex("a")).containsExactly(session.until(end).touched());
    assertThat(two.end(session.id())).contains(session.until(end).touched());
  }

  /** Readers at one node while the other changes: a value that was read before a change never stays in memory after it. */
  @Test
  void neverKeepsAValueThatWasReadBeforeItsInvalidation() throws Exception {
    AtomicBoolean stopped = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    PlainSession session = created();
    for (int i = 0; i < 8; i++) {
      readers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!stopped.get()) {
                      two.find(session.id());
                      Thread.yield();
                    }
                  }));
    }
    for (int change = 1; change <= 500; change++) {
      one.update(session.id(), PlainSession::touched);
      if (change % 10 == 0) {
        int expected = change;
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        while (two.find(session.id()).orElseThrow().touches() != expected) {
          assertThat(System.nanoTime()).as("the change arrives").isLessThan(end);
          Thread.sleep(1);
        }
        for (int again = 0; again < 20; again++) {
          assertThat(two.find(session.id()).orElseThrow().touches()).isEqualTo(expected);
        }
      }
    }
    stopped.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
  }

  @Test
  void servesWhatItKnewWhileNoServerAnswersAndNothingElse() throws Exception {
    PlainSession known = created();
    PlainSession ended = created();
    PlainSession unknown = created();
    assertThat(two.find(known.id())).contains(known);
    assertThat(two.find(ended.id())).contains(ended);
    assertThat(one.find(unknown.id())).isPresent();
    RecordingAuditLog audit = new RecordingAuditLog();
    opened.getFirst().audit(audit);
    primary.kill();
    assertThat(two.find(known.id())).as("within staleness").contains(known);
    await(() -> two.peek(known.id()).isEmpty());
    assertThat(two.find(known.id())).contains(known);
    assertThat(opened.get(1).servedStale()).isPositive();
    assertUnavailable(two, unknown.id());
    assertThat(two.end(ended.id())).as("counts at once").contains(ended);
    assertThat(two.end(ended.id())).isEmpty();
    assertUnavailable(two, ended.id());
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> two.end(unknown.id()));
    // The process of the second node ends as well, before it could deliver.
    opened.get(1).close();
    opened.remove(1);
    two = node().sessions("app", PlainSession.CODEC);
    await(() -> audit.events().size() == 1);
    primary.startAgain();
    await(() -> opened.get(1).problem().isEmpty());
    assertThat(two.find(ended.id())).isEmpty();
    await(() -> one.find(ended.id()).isEmpty());
    await(() -> audit.events().size() == 2);
    assertThat(audit.events())
        .extracting(event -> ((AuditEvent.SharedStoreOutage) event).change())
        .containsExactly("lost", "back");
    assertThat(two.find(unknown.id())).contains(unknown);
    assertThat(two.find(known.id())).contains(known);
    assertThat(two.peek(known.id())).contains(known);
    await(() -> Files.exists(folder.resolve("ends1")) && folder.resolve("ends1").toFile().length() == 0);
  }

  @Test
  void servesNothingThatItKnewOnceStalenessIsOver() throws Exception {
    ValkeyConfig config = primary.config("nodes", Acknowledge.REPLICA);
    SessionStore<PlainSession> brief =
        node(
                InstantSource.system(),
                new ValkeyConfig(
                    config.place(), config.account(), config.security(), config.acknowledge(), Duration.ofSeconds(4), config.timeout(),
                    config.namespace()))
            .sessions("app", PlainSession.CODEC);
    PlainSession known = created();
    assertThat(brief.find(known.id())).contains(known);
    assertThat(two.find(known.id())).contains(known);
    primary.kill();
    await(() -> brief.peek(known.id()).isEmpty());
    assertThat(brief.find(known.id())).as("within staleness").contains(known);
    await(() -> isUnavailable(brief, known.id()));
    assertThat(two.find(known.id())).as("whose staleness is longer").contains(known);
  }

  private static boolean isUnavailable(SessionStore<PlainSession> store, SessionId id) {
    try {
      store.find(id);
      return false;
    } catch (StoreUnavailable e) {
      return true;
    }
  }

  /** Others must be told of the end: the session expires, and is still there for whoever tells them. */
  @Test
  void anEndInAnOutageIsNotForgotten() throws Exception {
    SessionStore<PlainSession> first = opened.getFirst().sessions("idp", PlainSession.CODEC, Expired.KEPT);
    SessionStore<PlainSession> second = opened.get(1).sessions("idp", PlainSession.CODEC, Expired.KEPT);
    Instant now = Instant.ofEpochMilli(Instant.now().toEpochMilli());
    PlainSession session =
        new PlainSession(
            SessionToken.create(random).id(), "demo", new PersonId("alice"), now, now.plusSeconds(600), Set.of("a"), 0);
    first.create(session);
    assertThat(second.find(session.id())).contains(session);
    primary.kill();
    assertThat(second.end(session.id())).contains(session);
    primary.startAgain();
    await(() -> opened.stream().allMatch(stores -> stores.problem().isEmpty()));
    await(() -> !first.expired(10).isEmpty());
    assertThat(first.find(session.id())).isEmpty();
    assertThat(first.endExpired(session.id())).map(PlainSession::id).contains(session.id());
    assertThat(second.endExpired(session.id())).isEmpty();
  }

  /** It was ended here while no server answered: until the server has it, no index leads to it. */
  @Test
  void anEndThatWaitsToBeDeliveredCountsForEveryQuestion() throws Exception {
    PlainSession session = created();
    Files.writeString(folder.resolve("ends" + opened.size()), "\ns:app " + session.id().value() + ".\n");
    SessionStore<PlainSession> again = node().sessions("app", PlainSession.CODEC);
    assertThat(again.byIndex("a")).isEmpty();
    assertThat(again.byPerson("demo", session.person())).isEmpty();
    assertThat(again.page("demo", "", 10)).isEmpty();
    assertThat(again.find(session.id())).isEmpty();
    await(() -> one.find(session.id()).isEmpty());
  }

  /** Neither server nor disk takes the end: whoever asks again hears that again, until one of them does. */
  @Test
  void aSecondLogoutIsNotAcknowledgedIfTheFirstOneIsNowhere() throws Exception {
    PlainSession session = created();
    assertThat(two.find(session.id())).contains(session);
    Path file = Files.createDirectory(folder.resolve("ends1"));
    primary.kill();
    await(() -> two.peek(session.id()).isEmpty());
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> two.end(session.id()));
    }
    assertThat(two.find(session.id())).as("within staleness").contains(session);
    Files.delete(file);
    assertThat(two.end(session.id())).contains(session);
    assertThat(two.end(session.id())).as("it counts here").isEmpty();
    primary.startAgain();
    await(() -> opened.stream().allMatch(stores -> stores.problem().isEmpty()));
    await(() -> one.find(session.id()).isEmpty());
  }

  /** A primary without replicas answers reads, but may be deposed: nothing that it says counts. */
  @Test
  void believesNobodyWhoseReplicasAreGone() throws Exception {
    PlainSession session = created();
    assertThat(two.find(session.id())).contains(session);
    replica.signal("STOP");
    await(() -> two.peek(session.id()).isEmpty());
    assertThat(two.find(session.id())).as("within staleness").contains(session);
    PlainSession other = session.of("bob");
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> one.update(session.id(), old -> other));
    replica.signal("CONT");
    await(() -> opened.stream().allMatch(stores -> stores.problem().isEmpty()));
    await(() -> two.find(session.id()).isPresent());
  }

  private static void assertUnavailable(SessionStore<PlainSession> store, SessionId id) {
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> store.find(id));
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    for (int i = 0; i < 1_000; i++) {
      if (condition.holds()) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("Not within ten seconds");
  }
}
