package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real servers that are frozen (SIGSTOP), and a service password that is wrong for a while. */
@Timeout(120)
final class FrozenServerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** A server may freeze between operations: a login takes three operations and waits for one timeout in all. */
  @Test
  void aFrozenFirstServerCostsOneTimeoutAndThenNothing() {
    try (Slapd first = Slapd.start(TestPeople.LDIF);
        Slapd second = Slapd.start(TestPeople.LDIF);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(TIMEOUT, first.port(), second.port()))) {
      assertThat(login(directory)).isInstanceOf(Accepted.class);
      first.freeze();
      try {
        assertThat(timeOf(() -> assertThat(login(directory)).isInstanceOf(Accepted.class)))
            .isBetween(TIMEOUT.minusMillis(100), TIMEOUT.multipliedBy(2));
        for (int i = 0; i < 5; i++) {
          assertThat(timeOf(() -> assertThat(login(directory)).isInstanceOf(Accepted.class))).isLessThan(TIMEOUT);
        }
      } finally {
        first.thaw();
      }
      LdapServer preferred = directory.servers().all().getFirst();
      Eventually.holds(() -> preferred.state() == LdapServer.State.UP);
      second.stop();
      assertThat(login(directory)).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void aFrozenFirstServerAtTheStartDoesNotHoldUpTheFirstLogin() {
    try (Slapd first = Slapd.start(TestPeople.LDIF);
        Slapd second = Slapd.start(TestPeople.LDIF)) {
      first.freeze();
      try (LdapDirectory directory = new LdapDirectory(TestPeople.config(TIMEOUT, first.port(), second.port()))) {
        assertThat(timeOf(() -> assertThat(login(directory)).isInstanceOf(Accepted.class)))
            .isLessThan(TIMEOUT.multipliedBy(2));
      } finally {
        first.thaw();
      }
    }
  }

  /** More logins than connections: those that wait for a connection do not start a timeout of their own. */
  @Test
  void aCrowdPaysOneTimeoutTogether() throws Exception {
    try (Slapd first = Slapd.start(TestPeople.LDIF);
        Slapd second = Slapd.start(TestPeople.LDIF);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(TIMEOUT, first.port(), second.port()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(login(directory)).isInstanceOf(Accepted.class);
      first.freeze();
      try {
        List<Future<Duration>> crowd = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          crowd.add(
              threads.submit(() -> timeOf(() -> assertThat(login(directory)).isInstanceOf(Accepted.class))));
        }
        for (Future<Duration> each : crowd) {
          assertThat(each.get()).isLessThan(TIMEOUT.multipliedBy(2));
        }
      } finally {
        first.thaw();
      }
    }
  }

  @Test
  void aServicePasswordThatIsCorrectedInTheDirectoryCountsWithinASecond() throws Exception {
    try (Slapd slapd = Slapd.start(TestPeople.LDIF)) {
      setServicePassword(slapd, "another");
      try (LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
        for (int i = 0; i < 20; i++) {
          assertThat(login(directory)).isInstanceOf(Unavailable.class);
        }
        assertThat(directory.isAvailable()).isFalse();
        setServicePassword(slapd, TestPeople.SERVICE_PASSWORD);
        long corrected = System.nanoTime();
        AtomicLong refused = new AtomicLong(corrected);
        Eventually.holds(
            () -> {
              long began = System.nanoTime();
              boolean isIn = login(directory) instanceof Accepted;
              refused.set(isIn ? refused.get() : began);
              return isIn;
            });
        // However busy the machine is: no login that begins later is refused. Including the login itself, one second.
        assertThat(Duration.ofNanos(refused.get() - corrected))
            .isLessThanOrEqualTo(LdapServer.MIN_BETWEEN_PASSWORD_PROBES)
            .isLessThan(Duration.ofSeconds(1));
        assertThat(directory.isAvailable()).isTrue();
      }
    }
  }

  private static void setServicePassword(Slapd slapd, String password) throws LDAPException {
    try (LDAPConnection admin = new LDAPConnection("127.0.0.1", slapd.port(), Slapd.ADMIN, "admin")) {
      admin.modify(TestPeople.SERVICE, new Modification(ModificationType.REPLACE, "userPassword", password));
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
