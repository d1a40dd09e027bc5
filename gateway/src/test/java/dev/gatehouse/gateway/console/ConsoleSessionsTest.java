package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation.Created;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleSessionsTest {

  private static final List<AdministratorGrant> VIEWER = List.of(AdministratorGrant.parse("viewer@demo"));

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private AdministratorKeys keys;
  private ConsoleSessions sessions;

  @BeforeEach
  void open() {
    RandomGenerator random = RandomGenerator.of("SplittableRandom");
    keys = new AdministratorKeys(data, time, random);
    sessions = new ConsoleSessions(keys, time, random);
  }

  private NamedKey key(String name, Optional<Duration> lifetime) {
    return ((Created) keys.create(name, VIEWER, lifetime.map(time.instant()::plus))).key();
  }

  @Test
  void aSessionMayDoWhatItsKeyMay() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    assertThat(sessions.use(token)).contains(new AdminRights("reader", VIEWER));
    assertThat(sessions.use(SessionToken.create(RandomGenerator.of("SecureRandom")))).isEmpty();
  }

  @Test
  void itEndsFifteenMinutesAfterItsLastRequest() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    time.advance(Duration.ofMinutes(15).minusSeconds(1));
    assertThat(sessions.use(token)).isPresent();
    time.advance(Duration.ofMinutes(15).minusSeconds(1));
    assertThat(sessions.use(token)).isPresent();
    time.advance(Duration.ofMinutes(15));
    assertThat(sessions.use(token)).isEmpty();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void aPageThatAsksByItselfDoesNotKeepIt() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    for (int minute = 1; minute < 15; minute++) {
      time.advance(Duration.ofMinutes(1));
      assertThat(sessions.look(token)).contains(new AdminRights("reader", VIEWER));
    }
    time.advance(Duration.ofMinutes(1));
    assertThat(sessions.look(token)).isEmpty();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void itEndsEightHoursAfterItsBeginningHoweverBusy() {
    SessionToken token = sessions.begin(key("reader", Optional.empty()));
    for (int i = 0; i < 47; i++) {
      time.advance(Duration.ofMinutes(10));
      assertThat(sessions.use(token)).isPresent();
    }
    time.advance(Duration.ofMinutes(10));
    assertThat(sessions.use(token)).isEmpty();
  }

  @Test
  void itEndsWithItsKey() {
    SessionToken ended = sessions.begin(key("short", Optional.of(Duration.ofMinutes(5))));
    SessionToken revoked = sessions.begin(key("reader", Optional.empty()));
    keys.revoke("reader");
    assertThat(sessions.use(revoked)).isEmpty();
    time.advance(Duration.ofMinutes(5));
    assertThat(sessions.use(ended)).isEmpty();
    assertThat(sessions.count()).isZero();
  }

  @Test
  void aKeyWithAnotherOfTheSameNameDoesNotPassItsSessionsOn() {
    SessionToken revoked = sessions.begin(key("reader", Optional.empty()));
    keys.revoke("reader");
    key("reader", Optional.empty());
    assertThat(sessions.use(revoked)).isEmpty();
  }

  @Test
  void tooManySessionsOfOneKeyEndTheOneThatIsUnusedLongestAndNoneOfOthers() {
    SessionToken other = sessions.begin(key("other", Optional.empty()));
    NamedKey key = key("script", Optional.empty());
    SessionToken first = sessions.begin(key);
    SessionToken second = sessions.begin(key);
    time.advance(Duration.ofSeconds(1));
    sessions.use(first);
    for (int i = 0; i < ConsoleSessions.MOST_OF_ONE_KEY - 1; i++) {
      sessions.begin(key);
    }
    assertThat(sessions.count()).isEqualTo(ConsoleSessions.MOST_OF_ONE_KEY + 1);
    assertThat(sessions.use(second)).isEmpty();
    assertThat(sessions.use(first)).isPresent();
    assertThat(sessions.use(other)).isPresent();
  }

  @Test
  void sessionsThatAreOverDoNotStayInMemory() {
    sessions.begin(key("one", Optional.empty()));
    time.advance(Duration.ofHours(1));
    sessions.begin(key("two", Optional.empty()));
    assertThat(sessions.count()).isEqualTo(1);
  }
}
