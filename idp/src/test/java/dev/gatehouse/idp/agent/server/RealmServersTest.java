package dev.gatehouse.idp.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Challenged;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unknown;
import dev.gatehouse.idp.agent.server.ServerSettings.Times;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.radius.RadiusTexts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which server an agent asks, and what it makes of servers that fail in every way. */
final class RealmServersTest {

  private static final Times TIMES = new Times(Duration.ofMillis(2500), Duration.ofMillis(2500), Duration.ofSeconds(3),
      Duration.ofMinutes(10));
  private static final RealmAnswer ACCEPTED = new Accepted("carol", Optional.empty());
  private static final Duration LONGER_THAN_FRESH = Duration.ofMillis(1100);

  private final FaultServer first = server();
  private final FaultServer second = server();
  private final RealmEpoch epoch = RealmEpoch.inMemory(0);
  private Optional<RealmServers> opened = Optional.empty();

  private static FaultServer server() {
    try {
      return FaultServer.start();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @AfterEach
  void close() {
    opened.ifPresent(RealmServers::close);
    first.close();
    second.close();
  }

  private RealmServers servers(boolean isPinned, InetSocketAddress... addresses) {
    return servers(new ServerSettings(FaultServer.ADDRESS, List.of(addresses), isPinned, key(), List.of(), TIMES));
  }

  private RealmServers servers(ServerSettings settings) {
    RealmServers servers = new RealmServers(settings, epoch, InstantSource.system(), new SecureRandom());
    opened = Optional.of(servers);
    servers.start();
    return servers;
  }

  /** Asks the first one first; the time that they take is another test's. */
  private RealmServers both() {
    return servers(true, first.address(), second.address());
  }

  static AgentKey key() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      return new AgentKey("host", pair.getPrivate(), List.of(), "https://login.example.org/realms/staff");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RealmAnswer ask(RealmServers servers, String passcode) {
    return servers.ask(new Asked("carol", passcode, Optional.empty(), "192.0.2.7"));
  }

  @Test
  void theOneThatAnswersSoonestIsAsked() {
    second.delayMillis = 800;
    Times often = new Times(TIMES.connect(), TIMES.probe(), TIMES.request(), Duration.ofSeconds(1));
    RealmServers servers = servers(new ServerSettings(FaultServer.ADDRESS, List.of(second.address(), first.address()), false, key(),
        List.of(), often));
    for (int i = 0; i < 3; i++) {
      assertThat(ask(servers, "2468" + i)).isEqualTo(ACCEPTED);
    }
    assertThat(first.passcodes).hasSize(3);
    assertThat(second.passcodes).isEmpty();
    // It becomes slow, and the other one quick.
    first.delayMillis = 2000;
    second.delayMillis = 0;
    Eventually.holds(
        () -> {
          ask(servers, "1");
          return !second.passcodes.isEmpty();
        });
  }

  @Test
  void pinnedServersAreAskedInTheirOrder() {
    RealmServers servers = servers(true, second.address(), first.address());
    assertThat(ask(servers, "1")).isEqualTo(ACCEPTED);
    assertThat(second.passcodes).containsExactly("1");
    second.status = 503;
    assertThat(ask(servers, "2")).isEqualTo(ACCEPTED);
    assertThat(first.passcodes).containsExactly("2");
  }

  @Test
  void whoDecidedNothingIsFollowedByAnother() {
    RealmServers servers = both();
    first.status = 503;
    first.body = "{\"error\":\"temporarily_unavailable\"}";
    assertThat(ask(servers, "1")).isEqualTo(ACCEPTED);
    first.status = 200;
    first.body = "{\"result\":\"accept\",\"name\":\"carol\"}";
    InetSocketAddress nobody = InetSocketAddress.createUnresolved("127.0.0.1", FreePorts.one());
    servers.close();
    assertThat(ask(servers(true, nobody, first.address()), "2")).as("nobody listens at the first").isEqualTo(ACCEPTED);
    assertThat(first.passcodes).containsExactly("1", "2");
  }

  @Test
  void aWrongPasscodeIsToldToOneServerOnly() {
    first.body = "{\"result\":\"reject\"}";
    assertThat(ask(both(), "1")).isEqualTo(new Rejected());
    assertThat(first.passcodes).hasSize(1);
    assertThat(second.passcodes).isEmpty();
  }

  @Test
  void aServerThatHangsCostsOneShortTimeAndNoPasscode() throws Exception {
    RealmServers servers = both();
    first.probesHang = true;
    first.requestsHang = true;
    Thread.sleep(LONGER_THAN_FRESH);
    long began = System.nanoTime();
    assertThat(ask(servers, "1")).isEqualTo(ACCEPTED);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(2400));
    assertThat(first.passcodes).isEmpty();
    began = System.nanoTime();
    assertThat(ask(servers, "2")).isEqualTo(ACCEPTED);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).as("it rests").isLessThan(Duration.ofMillis(2400));
    first.probesHang = false;
    first.requestsHang = false;
    Eventually.holds(
        () -> {
          ask(servers, "3");
          return first.passcodes.contains("3");
        });
  }

  @Test
  void aPasscodeThatMayHaveArrivedIsAskedAboutNowhereElse() {
    RealmServers servers = both();
    first.requestsHang = true;
    assertThat(ask(servers, "1")).isEqualTo(new Unknown());
    assertThat(first.passcodes).containsExactly("1");
    assertThat(second.passcodes).isEmpty();
    assertThat(ask(servers, "2")).as("the next code goes to another").isEqualTo(ACCEPTED);
    assertThat(second.passcodes).containsExactly("2");
  }

  @Test
  void anErrorOfABalancerLeavesItOpen() {
    first.status = 502;
    first.body = "<html>";
    assertThat(ask(both(), "1")).isEqualTo(new Unknown());
    assertThat(second.passcodes).isEmpty();
  }

  @Test
  void whatANewPinMayBeIsHandedOn() {
    first.body = "{\"result\":\"challenge\",\"question\":\"newPin\",\"challenge\":\"xyz\",\"pinMin\":6,\"pinMax\":8,\"pinLetters\":false}";
    assertThat(ask(servers(false, first.address()), "1"))
        .isEqualTo(new Challenged(Question.NEW_PIN, "0:xyz", Optional.empty(), Optional.of(new RadiusTexts.PinBounds(6, 8))));
  }

  @Test
  void theAnswerToAChallengeGoesToTheServerThatAsked() {
    second.body = "{\"result\":\"challenge\",\"question\":\"nextCode\",\"challenge\":\"xyz\"}";
    RealmServers servers = servers(false, second.address(), first.address());
    first.status = 503;
    RealmAnswer asked = ask(servers, "1");
    assertThat(asked).isEqualTo(new Challenged(Question.NEXT_CODE, "0:xyz", Optional.empty()));
    first.status = 200;
    second.body = "{\"result\":\"accept\",\"name\":\"carol\"}";
    assertThat(servers.ask(new Asked("carol", "2", Optional.of("0:xyz"), ""))).isEqualTo(ACCEPTED);
    assertThat(second.passcodes).containsExactly("1", "2/xyz");
  }

  @Test
  void withoutAnyServerNothingIsDecided() {
    RealmServers servers = both();
    first.close();
    second.close();
    assertThat(ask(servers, "1")).isIn(new Unavailable(false), new Unknown());
    assertThat(ask(servers, "2")).isEqualTo(new Unavailable(false));
  }

  @Test
  void anAgentThatTheRealmDoesNotKnowIsTurnedAway() {
    RealmServers servers = servers(true, first.address());
    first.status = 401;
    first.body = "{\"error\":\"invalid_client\"}";
    assertThat(ask(servers, "1")).isEqualTo(new Unavailable(true));
    assertThat(ask(servers, "2")).as("while the server rests").isEqualTo(new Unavailable(true));
    first.close();
    Eventually.holds(() -> ask(servers, "3").equals(new Unavailable(false)));
  }

  @Test
  void aServerThatRestsIsThereAllTheSame() {
    RealmServers servers = servers(true, first.address());
    first.status = 503;
    assertThat(ask(servers, "1")).isEqualTo(new Unavailable(true));
    assertThat(ask(servers, "2")).isEqualTo(new Unavailable(true));
    first.status = 200;
    first.requestsHang = true;
    assertThat(ask(servers, "3")).isEqualTo(new Unknown());
    assertThat(ask(servers, "4")).as("it rests after a silence, and answers probes").isEqualTo(new Unavailable(true));
    assertThat(first.passcodes).containsExactly("1", "2", "3");
  }

  @Test
  void whoeverIsAskedTooOftenDoesNotRest() {
    RealmServers servers = servers(true, first.address(), second.address());
    first.status = 429;
    assertThat(ask(servers, "1")).isEqualTo(ACCEPTED);
    assertThat(second.passcodes).containsExactly("1");
    first.status = 200;
    assertThat(ask(servers, "2")).isEqualTo(ACCEPTED);
    assertThat(first.passcodes).containsExactly("1", "2");
  }

  @Test
  void whetherTheRealmKnowsTheAgentIsTold() {
    List<Boolean> told = new ArrayList<>();
    RealmServers servers = servers(true, first.address());
    servers.onStanding(told::add);
    ask(servers, "1");
    first.status = 503;
    ask(servers, "2");
    first.answers(400, "{\"error\":\"invalid_request\"}");
    ask(servers, "3");
    assertThat(told).containsExactly(true);
    first.answers(400, "{\"error\":\"unauthorized_client\"}");
    ask(servers, "4");
    first.answers(401, "{\"error\":\"invalid_client\"}");
    ask(servers, "5");
    assertThat(told).containsExactly(true, false, false);
    servers.close();
    assertThat(servers(true, first.address()).send("otp/v1/authentications", Map.of())).isEqualTo(new Sent.Refused(401));
  }

  @Test
  void aServerOfALowerEpochIsDownForTheAgent() {
    first.epoch = "1";
    second.epoch = "2";
    RealmServers servers = servers(true, first.address(), second.address());
    assertThat(epoch.highest()).isEqualTo(2);
    assertThat(ask(servers, "1")).isEqualTo(ACCEPTED);
    assertThat(first.passcodes).as("it is a former primary").isEmpty();
    second.close();
    Eventually.holds(() -> ask(servers, "2").equals(new Unavailable(false)));
    assertThat(first.passcodes).isEmpty();
    assertThat(servers.states()).extracting(RealmServers.State::problem).first().asString().contains("the epoch 1", "at 2");
    assertThat(epoch.refusals()).isPositive();
    // Its operator has made it a replica of the new primary.
    first.epoch = "2";
    Eventually.holds(() -> ask(servers, "3").equals(ACCEPTED));
    assertThat(epoch.refusals()).isZero();
  }

  @Test
  void whatAFormerPrimaryDecidesWhileAnotherIsNominatedDoesNotCount() {
    first.epoch = "2";
    first.epochOfAnswers = "1";
    List<Boolean> told = new ArrayList<>();
    RealmServers servers = servers(true, first.address());
    servers.onStanding(told::add);
    assertThat(servers.send("otp/v1/offline-uses", Map.of("ticket", "t", "uses", ""))).as("told to another").isEqualTo(new Sent.NotReached());
    first.answers(401, "{\"error\":\"invalid_client\"}");
    assertThat(servers.send("otp/v1/offline-uses", Map.of("ticket", "t", "uses", ""))).isEqualTo(new Sent.NotReached());
    assertThat(first.kept).containsExactly("uses t", "uses t");
    assertThat(told).as("it neither knows the agent nor turns it away").isEmpty();
    first.answers(200, "{\"result\":\"accept\",\"name\":\"carol\"}");
    assertThat(ask(servers, "1")).as("its code may be marked").isEqualTo(new Unknown());
    assertThat(first.passcodes).containsExactly("1");
    assertThat(told).isEmpty();
  }

  @Test
  void whatNoServerWouldTakeIsNotSent() {
    RealmServers servers = both();
    for (Asked odd :
        List.of(
            new Asked("", "1", Optional.empty(), ""), new Asked("c\narol", "1", Optional.empty(), ""),
            new Asked("carol", "", Optional.empty(), ""), new Asked("c".repeat(257), "1", Optional.empty(), ""),
            new Asked("carol", "1".repeat(129), Optional.empty(), ""))) {
      assertThat(servers.ask(odd)).isEqualTo(new Rejected());
    }
    assertThat(first.passcodes).isEmpty();
  }

  @Test
  void aCheckSaysWhatEachServerThinksOfTheAgent() {
    first.status = 400;
    first.body = "{\"error\":\"invalid_request\",\"error_description\":\"The parameter name is missing\"}";
    second.status = 401;
    second.body = "{\"error\":\"invalid_client\",\"error_description\":\"no such client\"}";
    List<RealmServers.State> states = servers(true, first.address(), second.address()).states();
    assertThat(states).extracting(RealmServers.State::problem).containsExactly("", "it answers 401 invalid_client: no such client");
    assertThat(first.passcodes).isEmpty();
  }
}
