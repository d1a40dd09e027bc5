package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a client hears of somebody who typed {@code root} and is a visitor: their own name, so that it makes them nobody else. */
final class VisitorAcceptTest {

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final List<Boolean> taken = new ArrayList<>();

  /** Lets everybody in, at the given means. */
  private record Any(String name, String token) implements PasscodeCheck {
    @Override
    public PasscodeResult check(PasscodeAttempt attempt) {
      return new PasscodeResult.Accepted(new Person(new PersonId("x"), name, "", Map.of(), List.of(), Set.of("employee")), token);
    }

    @Override
    public PasscodeResult answer(String reference, PasscodeAttempt attempt) {
      return check(attempt);
    }
  }

  private RadiusPacket accepted(boolean visitors, PasscodeCheck check) {
    KnownClient known = new ClientTable(RadiusWorld.realm()).at(LOOPBACK).orElseThrow();
    Client c = known.config();
    KnownClient client =
        new KnownClient(
            known.realm(), new Client(c.name(), c.addresses(), c.secret(), c.certificate(), c.roles(), visitors, c.language(), false), known.secret());
    AccessRequests requests =
        new AccessRequests(
            (realm, may) -> {
              taken.add(may);
              return Optional.of(check);
            },
            new RecordingAuditLog(),
            RadiusWorld.refusals(new RecordingAuditLog(), new SimpleMeterRegistry().counter("unwritten")));
    byte[] authenticator = new byte[16];
    byte[] sent =
        new PacketWriter(PacketCode.ACCESS_REQUEST, 1)
            .add(AttributeType.USER_NAME, "root")
            .add(AttributeType.USER_PASSWORD, client.secret().hide("2468123456", authenticator))
            .request(authenticator, client.secret())
            .orElseThrow();
    RadiusPacket answer = packet(((Answer.Sent) requests.answer(client, LOOPBACK, packet(sent))).packet());
    assertThat(answer.code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    return answer;
  }

  private static RadiusPacket packet(byte[] bytes) {
    return ((ParsedPacket.Read) RadiusPacket.parse(bytes, bytes.length)).packet();
  }

  @Test
  void aVisitorIsNamedWithTheSuffixOfTheirHome() {
    RadiusPacket answer = accepted(true, new Any("root@home.example", "home home.example"));
    assertThat(answer.text(AttributeType.USER_NAME)).contains("root@home.example");
    assertThat(taken).containsExactly(true);
  }

  @Test
  void ourOwnPeopleAreAsTheyWereTyped() {
    assertThat(accepted(false, new Any("carol", "12345")).has(AttributeType.USER_NAME)).isFalse();
    assertThat(taken).as("absence denies").containsExactly(false);
  }
}
