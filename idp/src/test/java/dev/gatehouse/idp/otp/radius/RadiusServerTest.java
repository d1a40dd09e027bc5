package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccountingReceived;
import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets by hand, over UDP: what clients send, and what attackers do. */
class RadiusServerTest {

  private final RadiusWorld world = RadiusWorld.overUdp();
  private final RadiusPeer vpn = peer("127.0.0.1", RadiusWorld.VPN_SECRET);
  private final RadiusPeer wifi = peer("127.0.1.7", RadiusWorld.WIFI_SECRET);

  private RadiusPeer peer(String address, String secret) {
    try {
      return new RadiusPeer(address, world.port(), secret);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    vpn.close();
    wifi.close();
    world.close();
  }

  @Test
  void anAcceptedPersonGetsTheAttributesOfTheirRole() throws Exception {
    RadiusPacket accept = vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.CALLING_STATION_ID, "192.0.2.99")));

    assertThat(accept.code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(accept.text(AttributeType.FILTER_ID)).contains("staff");
    assertThat(accept.text(AttributeType.CLASS)).contains("class-staff");
    assertThat(accept.number(AttributeType.SESSION_TIMEOUT)).contains(28_800L);
    assertThat(accept.value(AttributeType.TUNNEL_TYPE).map(HexFormat.of()::formatHex)).contains("0000000d");
    assertThat(accept.value(AttributeType.TUNNEL_MEDIUM_TYPE).map(HexFormat.of()::formatHex)).contains("00000006");
    assertThat(accept.text(AttributeType.TUNNEL_PRIVATE_GROUP_ID)).contains("20");
    assertThat(world.passcodes.asked.getFirst().client()).isEqualTo("radius:vpn");
    assertThat(world.passcodes.asked.getFirst().address()).isEqualTo("192.0.2.99");
    RadiusPacket manager = vpn.ask(vpn.request("bob", "1357111111"));
    assertThat(manager.text(AttributeType.FILTER_ID)).contains("managers");
    assertThat(manager.has(AttributeType.CLASS)).isFalse();
    assertThat(wifi.ask(wifi.request("bob", "1357222222")).text(AttributeType.FILTER_ID)).as("the first reply is not of Wi-Fi").contains("staff");
  }

  @Test
  void aWrongPasscodeIsRejectedWithoutReason() throws Exception {
    RadiusPacket reject = vpn.ask(vpn.request("carol", "2468999999"));
    assertThat(reject.code()).isEqualTo(PacketCode.ACCESS_REJECT);
    String text = reject.text(AttributeType.REPLY_MESSAGE).orElseThrow();
    assertThat(text).startsWith("Not accepted.");
    assertThat(vpn.ask(vpn.request("nobody", "2468999999")).text(AttributeType.REPLY_MESSAGE)).contains(text);
    assertThat(wifi.ask(wifi.request("carol", "2468999999")).text(AttributeType.REPLY_MESSAGE).orElseThrow()).startsWith("Nicht angenommen.");
  }

  @Test
  void whoHasNoRoleOfTheClientOrOfAnyReplyIsRejected() throws Exception {
    assertThat(vpn.ask(vpn.request("guest", "0000111111")).code()).isEqualTo(PacketCode.ACCESS_REJECT);
    assertThat(wifi.ask(wifi.request("guest", "0000222222")).code()).isEqualTo(PacketCode.ACCESS_REJECT);
    assertThat(world.audit.events(LoginRefused.class)).extracting(LoginRefused::reason).containsExactly("NO_REPLY_FITS", "ROLE_MISSING");
  }

  @Test
  void theNextCodeIsAskedFor() throws Exception {
    RadiusPacket challenge = vpn.ask(vpn.request("carol", "next"));
    assertThat(challenge.code()).isEqualTo(PacketCode.ACCESS_CHALLENGE);
    assertThat(challenge.text(AttributeType.REPLY_MESSAGE).orElseThrow()).contains("new code");
    byte[] state = challenge.value(AttributeType.STATE).orElseThrow();
    assertThat(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.STATE, state))).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(vpn.ask(vpn.request("carol", "2468222222", w -> w.add(AttributeType.STATE, state))).code())
        .as("a challenge is answered once").isEqualTo(PacketCode.ACCESS_REJECT);
  }

  @Test
  void aNewPinIsChosenInThreeSteps() throws Exception {
    RadiusPacket step = vpn.ask(vpn.request("carol", "new"));
    for (String typed : new String[] {"9753", "9753"}) {
      byte[] state = step.value(AttributeType.STATE).orElseThrow();
      assertThat(step.code()).isEqualTo(PacketCode.ACCESS_CHALLENGE);
      step = vpn.ask(vpn.request("carol", typed, w -> w.add(AttributeType.STATE, state)));
    }
    assertThat(step.text(AttributeType.REPLY_MESSAGE).orElseThrow()).startsWith("Your new PIN is 583914.");
    byte[] last = step.value(AttributeType.STATE).orElseThrow();
    assertThat(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.STATE, last))).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
  }

  @Test
  void aChallengeOfAnotherClientIsRefused() throws Exception {
    byte[] state = vpn.ask(vpn.request("carol", "next")).value(AttributeType.STATE).orElseThrow();
    assertThat(wifi.ask(wifi.request("carol", "2468111111", w -> w.add(AttributeType.STATE, state))).code()).isEqualTo(PacketCode.ACCESS_REJECT);
    assertThat(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.STATE, state))).code())
        .as("it is not used up").isEqualTo(PacketCode.ACCESS_ACCEPT);
    RadiusPacket twice = vpn.ask(vpn.request("carol", "x", w -> w.add(AttributeType.STATE, "a").add(AttributeType.STATE, "b")));
    assertThat(twice.code()).isEqualTo(PacketCode.ACCESS_REJECT);
  }

  @Test
  void statesThatNobodyMadeAreRefused() throws Exception {
    assertThat(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.STATE, new byte[] {0, (byte) 0xff, 10}))).code())
        .isEqualTo(PacketCode.ACCESS_REJECT);
  }

  @Test
  void aRequestWithoutMessageAuthenticatorGetsSilence() throws Exception {
    byte[] packet = vpn.request("carol", "2468111111");
    byte[] without = new byte[packet.length - 18];
    System.arraycopy(packet, 0, without, 0, 20);
    System.arraycopy(packet, 38, without, 20, packet.length - 38);
    without[2] = (byte) (without.length >> 8);
    without[3] = (byte) without.length;
    assertRefused(without, "AUTHENTICATOR_MISSING");
  }

  @Test
  void aRequestWithAWrongMessageAuthenticatorGetsSilence() throws Exception {
    byte[] packet = vpn.request("carol", "2468111111");
    packet[25] ^= 1;
    assertRefused(packet, "NOT_AUTHENTIC");
  }

  @Test
  void anotherClientsSecretIsWorthNothing() throws Exception {
    try (RadiusPeer thief = peer("127.0.0.1", RadiusWorld.WIFI_SECRET)) {
      assertThat(thief.getsSilence(thief.request("carol", "2468111111"))).isTrue();
    }
    assertThat(reasons()).isEqualTo("NOT_AUTHENTIC");
  }

  @Test
  void aStrangerGetsSilence() throws Exception {
    try (RadiusPeer stranger = peer("127.9.9.9", RadiusWorld.VPN_SECRET)) {
      assertThat(stranger.getsSilence(stranger.request("carol", "2468111111"))).isTrue();
      assertThat(world.audit.events(MessageRefused.class).getFirst().context().client()).isEqualTo("127.9.9.9");
    }
    assertThat(reasons()).isEqualTo("UNKNOWN_CLIENT");
  }

  @Test
  void strangersAreWrittenAtAPace() throws Exception {
    try (RadiusPeer stranger = peer("127.9.9.9", RadiusWorld.VPN_SECRET)) {
      byte[] packet = stranger.request("carol", "2468111111");
      for (int i = 0; i < 3000; i++) {
        stranger.send(packet);
      }
      assertThat(stranger.getsSilence(packet)).isTrue();
    }
    assertThat(vpn.ask(vpn.request("carol", "2468111111")).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(world.metrics.times(Dropped.UNKNOWN_CLIENT)).isGreaterThan(600);
    assertThat(world.audit.events().size()).isLessThan(600);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "01", "0100001400", "ff000014000000000000000000000000000000000000", "01000014000000000000000000000000000000", "0100ffff0000000000000000000000000000000000"})
  void whatIsNoPacketGetsSilence(String hex) throws Exception {
    assertThat(vpn.getsSilence(HexFormat.of().parseHex(hex))).isTrue();
    assertThat(reasons()).isEqualTo("MALFORMED");
  }

  @Test
  void anOversizePacketGetsSilence() throws Exception {
    byte[] packet = new byte[9000];
    packet[0] = 1;
    packet[2] = (byte) (9000 >> 8);
    packet[3] = (byte) 9000;
    assertRefused(packet, "MALFORMED");
  }

  @Test
  void responsesGetSilence() throws Exception {
    for (PacketCode code : new PacketCode[] {PacketCode.ACCESS_ACCEPT, PacketCode.ACCESS_REJECT, PacketCode.ACCESS_CHALLENGE}) {
      assertThat(vpn.getsSilence(vpn.request(code, w -> {}))).isTrue();
    }
    assertThat(world.metrics.times(Dropped.UNEXPECTED_CODE)).isEqualTo(3);
  }

  @Test
  void theSameRequestGetsTheSameAnswerAndCountsOnce() throws Exception {
    byte[] packet = vpn.request("carol", "2468111111");
    byte[] first = vpn.askBytes(packet);
    assertThat(vpn.askBytes(packet)).isEqualTo(first);
    assertThat(vpn.askBytes(packet)).isEqualTo(first);
    assertThat(first[0]).isEqualTo((byte) 2);
    assertThat(world.passcodes.asked).hasSize(1);
    assertThat(world.metrics.duplicates()).isEqualTo(2);
  }

  @Test
  void aRequestThatIsBeingWorkedOnIsNotWorkedOnTwice() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    world.passcodes.open = gate;
    byte[] packet = vpn.request("carol", "2468111111");
    assertThat(vpn.getsSilence(packet)).isTrue();
    assertThat(vpn.getsSilence(packet)).isTrue();
    gate.countDown();
    assertThat(vpn.receive(5000).orElseThrow()[0]).isEqualTo((byte) 2);
    assertThat(vpn.receive(200)).as("one answer").isEmpty();
    assertThat(world.passcodes.asked).hasSize(1);
  }

  @Test
  void aReplayFromElsewhereIsAnotherRequestWhoseCodeIsUsed() throws Exception {
    byte[] packet = vpn.request("carol", "2468111111");
    assertThat(vpn.askBytes(packet)[0]).isEqualTo((byte) 2);
    try (RadiusPeer attacker = peer("127.0.0.1", RadiusWorld.VPN_SECRET)) {
      assertThat(attacker.ask(packet).code()).isEqualTo(PacketCode.ACCESS_REJECT);
    }
    assertThat(wifi.getsSilence(packet)).as("from another client's address").isTrue();
  }

  @Test
  void theSameIdentifierWithAnotherAuthenticatorIsAnotherRequest() throws Exception {
    byte[] first = vpn.request("carol", "2468111111");
    assertThat(vpn.askBytes(first)[0]).isEqualTo((byte) 2);
    byte[] second = vpn.request("carol", "2468222222", w -> {});
    assertThat(second[1]).isNotEqualTo(first[1]);
    try (RadiusPeer sameAgain = peer("127.0.0.1", RadiusWorld.VPN_SECRET)) {
      byte[] one = sameAgain.request("carol", "2468333333");
      assertThat(sameAgain.ask(one).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
      for (int i = 0; i < 255; i++) {
        sameAgain.request(w -> {});
      }
      byte[] other = sameAgain.request("carol", "2468444444");
      assertThat(other[1]).isEqualTo(one[1]);
      assertThat(sameAgain.ask(other).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    }
  }

  @Test
  void storesThatDoNotAnswerLeaveTheRequestToAnotherServer() throws Exception {
    world.passcodes.unavailable = true;
    byte[] packet = vpn.request("carol", "2468111111");
    assertThat(vpn.getsSilence(packet)).isTrue();
    assertThat(world.metrics.times(Dropped.UNAVAILABLE)).isEqualTo(1);
    world.passcodes.unavailable = false;
    assertThat(vpn.ask(packet).code()).as("it was not decided").isEqualTo(PacketCode.ACCESS_ACCEPT);
  }

  @Test
  void otherMethodsThanPapAreRefusedWithTheReason() throws Exception {
    byte[] eap = {2, 1, 0, 10, 1, 'c', 'a', 'r', 'o', 'l'};
    assertThat(sentence(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.EAP_MESSAGE, eap))))).startsWith("EAP is not accepted here");
    assertThat(sentence(vpn.ask(vpn.request(w -> w.add(AttributeType.USER_NAME, "carol").add(AttributeType.CHAP_PASSWORD, new byte[17])))))
        .startsWith("CHAP is not accepted here");
    byte[] msChap = HexFormat.of().parseHex("00000137" + "1934" + "00".repeat(50));
    assertThat(sentence(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.VENDOR_SPECIFIC, msChap)))))
        .startsWith("MS-CHAP is not accepted here");
    byte[] other = HexFormat.of().parseHex("00000009" + "1904" + "6162");
    assertThat(vpn.ask(vpn.request("carol", "2468111111", w -> w.add(AttributeType.VENDOR_SPECIFIC, other))).code())
        .as("other attributes of vendors are left alone").isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(world.audit.events(MessageRefused.class)).extracting(MessageRefused::reason)
        .containsExactly("EAP_NOT_ACCEPTED", "CHAP_NOT_ACCEPTED", "MSCHAP_NOT_ACCEPTED");
  }

  @Test
  void namesAndPasswordsMustBeThereOnce() throws Exception {
    for (byte[] packet :
        List.of(
            vpn.request(w -> w.add(AttributeType.USER_NAME, "carol")),
            vpn.request("carol", ""),
            vpn.request("carol\n", "2468111111"),
            vpn.request("carol", "2468111111", w -> w.add(AttributeType.USER_NAME, "bob")))) {
      assertThat(sentence(vpn.ask(packet))).as("a person may have typed it").startsWith("Not accepted. Wait for the next code");
    }
    assertThat(world.passcodes.asked).isEmpty();
    assertThat(world.audit.events(MessageRefused.class)).extracting(MessageRefused::reason)
        .containsExactly("PASSWORD_MISSING", "PASSWORD_MISSING", "NAME_MISSING", "NAME_MISSING");
  }

  /** Whoever types at a client is a stranger; an audit log that is full stops every login. */
  @Test
  void whatNobodyDecidedAboutIsWrittenAtAPace() throws Exception {
    for (int i = 0; i < 700; i++) {
      vpn.ask(vpn.request("carol", ""));
    }
    // The clock runs: one more a second.
    assertThat(world.audit.events(MessageRefused.class).size()).isBetween(500, 650);
    assertThat(world.unwritten.count() + world.audit.events(MessageRefused.class).size()).as("the others are counted").isEqualTo(700);
    int before = world.audit.events(MessageRefused.class).size();
    wifi.ask(wifi.request("carol", ""));
    assertThat(world.audit.events(MessageRefused.class)).as("another client").hasSizeGreaterThan(before);
    vpn.ask(vpn.request("guest", "0000111111"));
    assertThat(world.audit.events(LoginRefused.class)).as("whose passcode was right").hasSize(1);
  }

  @Test
  void proxiesGetTheirAttributesBack() throws Exception {
    byte[] answer = vpn.askBytes(vpn.request("carol", "2468111111", w -> w.add(AttributeType.PROXY_STATE, "z").add(AttributeType.PROXY_STATE, "a")));
    assertThat(new String(answer, StandardCharsets.ISO_8859_1)).endsWith("!\u0003z!\u0003a");
  }

  @Test
  void anAnswerThatIsTooLongIsNotSent() throws Exception {
    byte[] packet =
        vpn.request(
            "carol", "2468999999",
            w -> {
              for (int i = 0; i < 16; i++) {
                w.add(AttributeType.PROXY_STATE, new byte[245]);
              }
              w.add(AttributeType.PROXY_STATE, new byte[70]);
            });
    assertThat(vpn.getsSilence(packet)).isTrue();
    assertThat(world.metrics.times(Dropped.ANSWER_TOO_LONG)).isEqualTo(1);
  }

  @Test
  void statusIsAnswered() throws Exception {
    assertThat(vpn.ask(vpn.request(PacketCode.STATUS_SERVER, w -> {})).code()).isEqualTo(PacketCode.ACCESS_ACCEPT);
    assertThat(world.passcodes.asked).isEmpty();
  }

  @Test
  void accountingIsAnsweredAfterItIsWritten() throws Exception {
    byte[] stop =
        vpn.request(
            PacketCode.ACCOUNTING_REQUEST,
            w ->
                w.add(AttributeType.ACCT_STATUS_TYPE, 2).add(AttributeType.USER_NAME, "carol").add(AttributeType.ACCT_SESSION_ID, "s-1")
                    .add(AttributeType.ACCT_SESSION_TIME, 61).add(AttributeType.ACCT_INPUT_OCTETS, -1));
    assertThat(vpn.ask(stop).code()).isEqualTo(PacketCode.ACCOUNTING_RESPONSE);
    AccountingReceived event = world.audit.events(AccountingReceived.class).getFirst();
    assertThat(event.partner()).isEqualTo("vpn");
    assertThat(event.name()).isEqualTo("carol");
    assertThat(event.status()).isEqualTo("stop");
    assertThat(event.session()).isEqualTo("s-1");
    assertThat(event.details()).isEqualTo(Map.of("seconds", "61", "received", "4294967295"));
    assertThat(vpn.ask(vpn.request(PacketCode.ACCOUNTING_REQUEST, w -> w.add(AttributeType.ACCT_STATUS_TYPE, 3))).code())
        .isEqualTo(PacketCode.ACCOUNTING_RESPONSE);
    assertThat(world.audit.events(AccountingReceived.class)).as("interim updates are not written").hasSize(1);
    world.audit.breakDown(true);
    assertThat(vpn.getsSilence(vpn.request(PacketCode.ACCOUNTING_REQUEST, w -> w.add(AttributeType.ACCT_STATUS_TYPE, 1)))).isTrue();
  }

  @Test
  void accountingWithAWrongAuthenticatorGetsSilence() throws Exception {
    byte[] packet = vpn.request(PacketCode.ACCOUNTING_REQUEST, w -> w.add(AttributeType.ACCT_STATUS_TYPE, 1));
    packet[10] ^= 1;
    assertRefused(packet, "NOT_AUTHENTIC");
  }

  @Test
  void anAuthenticationTakesFewBytes() throws Exception {
    byte[] packet = vpn.request("carol", "2468111111", w -> w.add(AttributeType.CALLING_STATION_ID, "192.0.2.99").add(AttributeType.NAS_IDENTIFIER, "vpn1"));
    int headers = 2 * (20 + 8);
    assertThat(packet.length + vpn.askBytes(packet).length + headers).isLessThanOrEqualTo(600);
  }

  @Test
  void theServerIsDrained() throws Exception {
    assertThat(world.server.isListening()).isTrue();
    CountDownLatch gate = new CountDownLatch(1);
    world.passcodes.open = gate;
    assertThat(vpn.getsSilence(vpn.request("carol", "2468111111"))).isTrue();
    Thread.startVirtualThread(
        () -> {
          try {
            Thread.sleep(200);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          gate.countDown();
        });
    world.server.drain(Duration.ofSeconds(5));
    assertThat(vpn.receive(2000).orElseThrow()[0]).as("what was there is answered").isEqualTo((byte) 2);
    assertThat(world.server.isListening()).isFalse();
    assertThat(vpn.getsSilence(vpn.request("carol", "2468222222"))).isTrue();
  }

  private void assertRefused(byte[] packet, String reason) throws Exception {
    assertThat(vpn.getsSilence(packet)).isTrue();
    assertThat(reasons()).isEqualTo(reason);
    assertThat(world.passcodes.asked).isEmpty();
  }

  /** Waits for one: the silence of a busy machine is no proof that the packet was looked at. */
  private String reasons() throws InterruptedException {
    for (int i = 0; i < 500 && world.audit.events(MessageRefused.class).isEmpty(); i++) {
      Thread.sleep(10);
    }
    return String.join(",", world.audit.events(MessageRefused.class).stream().map(MessageRefused::reason).toList());
  }

  private static String sentence(RadiusPacket reject) {
    assertThat(reject.code()).isEqualTo(PacketCode.ACCESS_REJECT);
    return reject.text(AttributeType.REPLY_MESSAGE).orElseThrow();
  }
}
