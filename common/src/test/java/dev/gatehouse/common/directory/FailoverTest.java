package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Unavailable;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FailoverTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  @Test
  void theSecondServerWorksWhileTheFirstIsDeadAndTheFirstWhenItIsBack() {
    try (EmbeddedDirectory first = EmbeddedDirectory.start(TestPeople.LDIF);
        EmbeddedDirectory second = EmbeddedDirectory.start(TestPeople.LDIF);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(first.port(), second.port()))) {
      LdapServer preferred = directory.servers().all().getFirst();
      assertThat(login(directory)).isInstanceOf(Accepted.class);
      first.stop();
      for (int i = 0; i < 20; i++) {
        assertThat(login(directory)).isInstanceOf(Accepted.class);
      }
      assertThat(preferred.isUp()).isFalse();
      assertThat(directory.isAvailable()).isTrue();

      first.restart();
      Eventually.holds(preferred::isUp);
      second.stop();
      assertThat(login(directory)).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void aServerThatAcceptsAndNeverAnswersIsUnavailableWithinTheTimeoutAndThenAtOnce() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(TIMEOUT, silent.getLocalPort()))) {
      Duration first = timeOf(() -> assertThat(login(directory)).isInstanceOf(Unavailable.class));
      assertThat(first).isLessThan(TIMEOUT.multipliedBy(2));

      Eventually.holds(() -> !directory.isAvailable());
      Duration open = timeOf(() -> assertThat(login(directory)).isInstanceOf(Unavailable.class));
      assertThat(open).isLessThan(TIMEOUT);
      assertThatThrownBy(() -> directory.find(new PersonId("x"))).isInstanceOf(DirectoryUnavailable.class);
      assertThat(directory.changePassword("alice", Password.of("demo"), Password.of("x")))
          .isInstanceOfSatisfying(PasswordChange.Unavailable.class, unavailable -> assertThat(unavailable.isSent()).isFalse());
    }
  }

  /** However many people log in while a directory hangs: none waits much longer than one timeout. */
  @Test
  void aCrowdAtASilentServerIsAnsweredWithinTheTimeouts() throws Exception {
    try (SilentSwitch proxy = new SilentSwitch();
        LdapDirectory directory = new LdapDirectory(TestPeople.config(TIMEOUT, proxy.port()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(login(directory)).isInstanceOf(Accepted.class);
      proxy.beSilent();
      List<Callable<Duration>> crowd =
          IntStream.range(0, 500)
              .<Callable<Duration>>mapToObj(
                  i -> () -> timeOf(() -> assertThat(login(directory)).isInstanceOf(Unavailable.class)))
              .toList();
      for (var each : threads.invokeAll(crowd)) {
        assertThat(each.get()).isLessThan(TIMEOUT.multipliedBy(4));
      }
      assertThat(directory.isAvailable()).isFalse();
      assertThat(proxy.most()).isLessThanOrEqualTo(7);
      proxy.speakAgain();
      Eventually.holds(() -> login(directory) instanceof Accepted);
    }
  }

  @Test
  void aWrongServicePasswordIsUnavailableNotRefused() {
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF);
        LdapDirectory directory =
            new LdapDirectory(
                TestPeople.config(
                    Security.PLAIN_LOOPBACK, Optional.empty(), Optional.of(TestPeople.SERVICE), "wrong", 4, server.port()))) {
      assertThat(login(directory)).isInstanceOf(Unavailable.class);
      Eventually.holds(() -> !directory.isAvailable());
    }
  }

  @Test
  void searchesAnonymouslyWhereNoServiceAccountIsConfigured() {
    try (EmbeddedDirectory server = EmbeddedDirectory.start(TestPeople.LDIF);
        LdapDirectory directory =
            new LdapDirectory(
                TestPeople.config(Security.PLAIN_LOOPBACK, Optional.empty(), Optional.empty(), "", 4, server.port()))) {
      assertThat(login(directory)).isInstanceOf(Accepted.class);
    }
  }

  private static Authentication login(LdapDirectory directory) {
    return directory.authenticate("alice", Password.of("demo"));
  }

  private static Duration timeOf(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
