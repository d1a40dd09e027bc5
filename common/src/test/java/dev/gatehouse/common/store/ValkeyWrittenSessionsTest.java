package dev.gatehouse.common.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.ValkeyConfig.Acknowledge;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.valkey.ValkeyServer;
import dev.gatehouse.common.valkey.ValkeyStores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node reads what it wrote a moment ago, and another node may have written since. */
class ValkeyWrittenSessionsTest {

  private static final SealingKey SEALING = SealingKey.inMemory(new Random(3));

  private final Random random = new Random();
  private Duration ahead = Duration.ZERO;
  @AutoClose private final ValkeyServer server = ValkeyServer.start();
  @AutoClose private final ValkeyStores first = node();
  @AutoClose private final ValkeyStores second = node();
  private final SessionStore<PlainSession> one = first.sessions("app", PlainSession.CODEC);
  private final SessionStore<PlainSession> two = second.sessions("app", PlainSession.CODEC);
  private PlainSession session;

  private ValkeyStores node() {
    return new ValkeyStores(
        server.config("nodes", Acknowledge.LOCAL),
        new ValkeyStores.Node(SEALING, () -> Instant.now().plus(ahead), random, MetricFamilies.unpublished()),
        probe -> Optional.empty());
  }

  @BeforeEach
  void create() {
    Instant now = Instant.ofEpochMilli(InstantSource.system().millis());
    session = new PlainSession(SessionToken.create(random).id(), "demo", new PersonId("alice"), now, now.plusSeconds(600), Set.of("a"), 0);
    one.create(session);
  }

  @Test
  void itIsReadByOneQuestionAndKeptInMemory() {
    long before = calls("exists");
    assertThat(one.find(session.id())).contains(session);
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.touched());
    assertThat(one.peek(session.id())).as("not before it is read").isEmpty();
    // The server's report of the change may still arrive.
    Eventually.holds(() -> one.find(session.id()).equals(Optional.of(session.touched())) && one.peek(session.id()).isPresent());
    assertThat(one.peek(session.id())).contains(session.touched());
    assertThat(calls("exists")).as("whether it is there").isEqualTo(before);
    assertThat(two.find(session.id())).contains(session.touched());
    assertThat(calls("exists")).isEqualTo(before + 1);
  }

  /** How often the server has executed the command. */
  private long calls(String command) {
    Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(server.command("INFO", "commandstats"));
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  @Test
  void whatAnotherNodeChangedSinceIsRead() {
    assertThat(two.update(session.id(), old -> old.indexed("b"))).contains(session.indexed("b"));
    assertThat(one.find(session.id())).contains(session.indexed("b"));
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.indexed("b").touched());
    assertThat(two.update(session.id(), PlainSession::touched)).contains(session.indexed("b").touched().touched());
    assertThat(one.find(session.id())).contains(session.indexed("b").touched().touched());
  }

  @Test
  void whatAnotherNodeEndedSinceIsGone() {
    assertThat(two.end(session.id())).contains(session);
    assertThat(one.find(session.id())).isEmpty();
    assertThat(one.update(session.id(), PlainSession::touched)).isEmpty();
  }

  /** A use moves the idle end beside the value, which is the same. */
  @Test
  void oneThatAnotherNodeUsedLivesOn() {
    Instant later = session.expiresAt().plusSeconds(600);
    assertThat(two.update(session.id(), old -> old.until(later))).contains(session.until(later));
    ahead = Duration.ofSeconds(700);
    assertThat(one.find(session.id())).contains(session.until(later));
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.until(later).touched());
    ahead = Duration.ofSeconds(1_300);
    assertThat(one.find(session.id())).as("over").isEmpty();
  }

  /** A use is written once: whoever reads it again sees the new idle end. */
  @Test
  void itsOwnUseIsReadAgain() {
    Instant later = session.expiresAt().plusSeconds(600);
    assertThat(one.update(session.id(), old -> old.until(later))).contains(session.until(later));
    assertThat(one.find(session.id())).contains(session.until(later));
  }

  /** A change that changes nothing was asked for because something seemed due: what it found out must stay known. */
  @Test
  void aChangeThatChangesNothingLearnsOfAUseElsewhere() {
    Instant later = session.expiresAt().plusSeconds(600);
    assertThat(two.update(session.id(), old -> old.until(later))).contains(session.until(later));
    assertThat(one.find(session.id())).as("the value is the same").contains(session);
    assertThat(one.update(session.id(), old -> old)).contains(session.until(later));
    assertThat(one.find(session.id())).contains(session.until(later));
  }

  /** The first try returns what is there: nothing is read beside it. */
  @Test
  void itIsChangedWithoutReadingItAlsoIfAnotherNodeChangedItSince() {
    long reads = calls("mget");
    assertThat(one.lastKnown(session.id())).contains(session);
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.touched());
    assertThat(calls("mget")).isEqualTo(reads);
    assertThat(two.update(session.id(), PlainSession::touched)).contains(session.touched().touched());
    assertThat(calls("mget")).as("of a node that knows nothing of it").isEqualTo(reads + 1);
    assertThat(one.lastKnown(session.id())).contains(session.touched());
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.touched().touched().touched());
    assertThat(calls("mget")).isEqualTo(reads + 1);
    assertThat(two.end(session.id())).contains(session.touched().touched().touched());
    assertThat(one.lastKnown(session.id())).as("ended elsewhere").contains(session.touched().touched().touched());
    assertThat(one.update(session.id(), PlainSession::touched)).isEmpty();
  }

  /** A change keeps the idle end that another node has written beside the value. */
  @Test
  void aChangeOfOneThatAnotherNodeUsedKeepsItsIdleEnd() {
    Instant later = session.expiresAt().plusSeconds(600);
    assertThat(two.update(session.id(), old -> old.until(later))).contains(session.until(later));
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.until(later).touched());
    assertThat(two.find(session.id())).contains(session.until(later).touched());
  }

  /** A promoted replica may lack the last write, and have another value of the same version. */
  @Test
  void afterAnotherConnectionNothingIsChangedThatWasNotRead() {
    copyTheValue();
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.touched());
    server.kill();
    Eventually.holds(() -> first.problem().isPresent() && second.problem().isPresent());
    server.startAgain();
    Eventually.holds(() -> first.problem().isEmpty() && second.problem().isEmpty());
    putTheCopyBack();
    assertThat(two.update(session.id(), old -> old.indexed("b"))).contains(session.indexed("b"));
    assertThat(one.lastKnown(session.id())).contains(session.indexed("b"));
    assertThat(one.update(session.id(), PlainSession::touched)).contains(session.indexed("b").touched());
  }

  private void copyTheValue() {
    evaluate("return redis.call('COPY', redis.call('KEYS', 'nodes:s:app:*')[1], 'copy')");
  }

  private void putTheCopyBack() {
    evaluate("return redis.call('COPY', 'copy', redis.call('KEYS', 'nodes:s:app:*')[1], 'REPLACE')");
  }

  private void evaluate(String script) {
    assertThat(server.command("EVAL", script, "0")).startsWith(":1");
  }

  /** Another node may have ended it without a report to this one. */
  @Test
  void oneThatWasNotReadSinceIsServedToNobodyInAnOutage() {
    PlainSession read = new PlainSession(
        SessionToken.create(random).id(), "demo", session.person(), session.createdAt(), session.expiresAt(), Set.of("a"), 0);
    one.create(read);
    assertThat(one.find(read.id())).contains(read);
    server.kill();
    Eventually.holds(() -> first.problem().isPresent());
    assertThat(one.find(read.id())).as("within staleness").contains(read);
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> one.find(session.id()));
    assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> one.end(session.id()));
  }
}
