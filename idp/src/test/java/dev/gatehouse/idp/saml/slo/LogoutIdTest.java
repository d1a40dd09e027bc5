package dev.gatehouse.idp.saml.slo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LogoutIdTest {

  private final RandomGenerator random = new SecureRandom();

  private SessionId session() {
    return SessionToken.create(random).id();
  }

  @Test
  void whoHasShownItsSessionNeedsNoCookie() {
    LogoutId id = LogoutId.create(random);
    assertThat(id.isFor(Optional.empty())).isTrue();
    assertThat(id.isFor(Optional.of(session()))).as("logged in again").isTrue();
  }

  @Test
  void otherwiseTheCookieIsThatOfAnEndedSession() {
    SessionId one = session();
    SessionId two = session();
    LogoutId id = LogoutId.createFor(List.of(one, two), random);
    assertThat(id.isFor(Optional.of(one))).isTrue();
    assertThat(id.isFor(Optional.of(two))).isTrue();
    assertThat(id.isFor(Optional.of(session()))).isFalse();
    assertThat(id.isFor(Optional.empty())).isFalse();
    assertThat(id.value()).doesNotContain(one.value(), two.value()).matches("[A-Za-z0-9_.-]+");
  }

  @Test
  void manySessionsMakeNoLongAddress() {
    List<SessionId> many = Stream.generate(this::session).limit(100).toList();
    LogoutId id = LogoutId.createFor(many, random);
    assertThat(id.value()).hasSizeLessThan(500);
    assertThat(id.isFor(Optional.of(many.getFirst()))).isTrue();
    assertThat(id.isFor(Optional.of(many.getLast()))).isFalse();
  }

  @Test
  void ofNoSessionThereIsNone() {
    assertThatThrownBy(() -> LogoutId.createFor(List.of(), random)).isInstanceOf(IllegalArgumentException.class);
  }
}
