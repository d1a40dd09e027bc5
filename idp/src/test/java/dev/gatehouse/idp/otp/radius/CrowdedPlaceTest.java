package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.idp.otp.CrowdedPlaces;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Somebody at one place tries passcodes faster than they are checked (decision 559). */
final class CrowdedPlaceTest {

  private static final String PLACE = "192.0.2.99";

  private final CrowdedPlaces places = new CrowdedPlaces();

  private static byte[] from(RadiusPeer vpn, String place, int code) {
    return vpn.request("dave", "2468" + code, writer -> writer.add(AttributeType.CALLING_STATION_ID, place));
  }

  @Test
  void theNinthPasscodeOfOnePlaceIsRejectedAndOthersWaitForTheirTurn() throws Exception {
    try (RadiusWorld world = RadiusWorld.overUdp(places);
        RadiusPeer vpn = new RadiusPeer("127.0.0.1", world.port(), RadiusWorld.VPN_SECRET);
        RadiusPeer other = new RadiusPeer("127.0.0.1", world.port(), RadiusWorld.VPN_SECRET)) {
      world.passcodes.person(
          "dave", Set.of("employee"), IntStream.range(0, 12).mapToObj(i -> "2468" + (100_000 + i)).toArray(String[]::new));
      CountDownLatch gate = new CountDownLatch(1);
      world.passcodes.open = gate;
      for (int i = 0; i < CrowdedPlaces.MOST; i++) {
        vpn.send(from(vpn, PLACE, 100_000 + i));
      }
      PasscodeAttempt ofPlace = new PasscodeAttempt("dave", "", "radius:vpn", PLACE);
      for (int i = 0; i < 1000 && places.waiting(ofPlace) < CrowdedPlaces.MOST; i++) {
        Thread.sleep(10);
      }
      byte[] ninth = from(vpn, PLACE, 100_009);

      RadiusPacket reject = vpn.ask(ninth);
      assertThat(reject.code()).isEqualTo(PacketCode.ACCESS_REJECT);
      assertThat(reject.text(AttributeType.REPLY_MESSAGE)).hasValueSatisfying(
          text -> assertThat(text).startsWith("Not accepted.").contains("was not checked"));
      assertThat(world.audit.events(LoginRefused.class)).singleElement().satisfies(
          refused -> {
            assertThat(refused.reason()).isEqualTo("PLACE_CROWDED");
            assertThat(refused.name()).isEqualTo("dave");
          });
      assertThat(vpn.askBytes(ninth)[0]).as("sent again, as clients do").isEqualTo((byte) 3);
      byte[] elsewhere = from(other, "192.0.2.100", 100_010);
      assertThat(other.getsSilence(elsewhere)).as("another place waits").isTrue();

      gate.countDown();
      for (int i = 0; i < CrowdedPlaces.MOST; i++) {
        assertThat(vpn.receive(5_000).orElseThrow()[0]).as("those that were there").isEqualTo((byte) 2);
      }
      assertThat(other.receive(5_000).orElseThrow()[0]).isEqualTo((byte) 2);
      assertThat(vpn.ask(from(vpn, PLACE, 100_009)).code()).as("its code was neither checked nor used").isEqualTo(PacketCode.ACCESS_ACCEPT);
      assertThat(world.passcodes.asked).hasSize(CrowdedPlaces.MOST + 2);
    }
  }
}
