package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.ParsedPacket;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A PIN that the server has made goes where nobody listens: Reply-Message is in the clear over UDP. */
final class ShownPinTest {

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("192.0.2.9");

  private final ClientTable clients = new ClientTable(RadiusWorld.realm());
  private final KnownClient vpn = clients.at(LOOPBACK).orElseThrow();
  private final TablePasscodes passcodes = new TablePasscodes().person("carol", Set.of("employee"));
  private final AccessRequests requests =
      new AccessRequests(
          (realm, visitors) -> Optional.of(passcodes), new RecordingAuditLog(),
          RadiusWorld.refusals(new RecordingAuditLog(), new SimpleMeterRegistry().counter("unwritten")));

  private RadiusPacket answer(KnownClient client, InetAddress from) {
    return answer(client, from, "server");
  }

  private RadiusPacket answer(KnownClient client, InetAddress from, String password) {
    byte[] authenticator = new byte[16];
    byte[] sent =
        new PacketWriter(PacketCode.ACCESS_REQUEST, 1)
            .add(AttributeType.USER_NAME, "carol")
            .add(AttributeType.USER_PASSWORD, client.secret().hide(password, authenticator))
            .request(authenticator, client.secret())
            .orElseThrow();
    return packet(((Answer.Sent) requests.answer(client, from, packet(sent))).packet());
  }

  private static RadiusPacket packet(byte[] bytes) {
    return ((ParsedPacket.Read) RadiusPacket.parse(bytes, bytes.length)).packet();
  }

  @Test
  void itIsShownOnThisHostAndWithinTlsByAClientThatShowsPins() {
    KnownClient overTls = clients.named(List.of("vpn.example.org")).orElseThrow();
    for (RadiusPacket shown : List.of(answer(vpn, LOOPBACK), answer(overTls, ELSEWHERE))) {
      assertThat(shown.code()).isEqualTo(PacketCode.ACCESS_CHALLENGE);
      assertThat(shown.text(AttributeType.REPLY_MESSAGE).orElseThrow()).contains("583914");
    }
  }

  @Test
  void aNewPinIsAskedForWithWhatItMayBeInOneAttribute() {
    for (String language : List.of("en", "de")) {
      for (Optional<String> proposed : List.of(Optional.<String>empty(), Optional.of("12345678"))) {
        byte[] text = RadiusTexts.in(language).of(Question.NEW_PIN, proposed, Optional.of(new RadiusTexts.PinBounds(6, 12)));
        assertThat(text).hasSizeLessThanOrEqualTo(253);
        assertThat(new String(text, StandardCharsets.UTF_8)).contains("6", "12", "1234").doesNotContain("{");
      }
      byte[] unknown = RadiusTexts.in(language).of(Question.NEW_PIN, Optional.empty(), Optional.empty());
      assertThat(new String(unknown, StandardCharsets.UTF_8)).doesNotContain("{");
    }
    String asked = answer(vpn, LOOPBACK, "new").text(AttributeType.REPLY_MESSAGE).orElseThrow();
    TokenLogin.Pin pin = RadiusWorld.realm().idp().orElseThrow().contracts().token().orElseThrow().pin();
    assertThat(asked).contains("one of " + pin.least() + " to " + pin.most() + " characters", "no sequence such as 1234");
  }

  @Test
  void aClientThatMayBeAProxyGetsNoneWhereverItIs() {
    KnownClient local = clients.at(InetAddress.ofLiteral("127.0.1.1")).orElseThrow();
    KnownClient overTls = clients.named(List.of("wifi.example.org")).orElseThrow();
    for (RadiusPacket rejected : List.of(answer(local, LOOPBACK), answer(overTls, ELSEWHERE))) {
      assertThat(rejected.code()).isEqualTo(PacketCode.ACCESS_REJECT);
      assertThat(rejected.text(AttributeType.REPLY_MESSAGE).orElseThrow()).doesNotContain("583914");
    }
  }

  @Test
  void elsewhereThePersonIsSentToABrowser() {
    RadiusPacket rejected = answer(vpn, ELSEWHERE);
    assertThat(rejected.code()).isEqualTo(PacketCode.ACCESS_REJECT);
    assertThat(rejected.text(AttributeType.REPLY_MESSAGE).orElseThrow()).contains("in a browser").doesNotContain("583914");
    assertThat(rejected.has(AttributeType.STATE)).isFalse();
  }
}
