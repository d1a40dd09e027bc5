package dev.gatehouse.idp.otp.radius;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccountingReceived;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real peers: {@code radclient} against our server, and FreeRADIUS in front of it as a proxy and as the end of EAP-TTLS. */
class FreeRadiusTest {

  private static final Pattern STATE = Pattern.compile("State = (0x[0-9a-f]+)");

  private final RadiusWorld world = RadiusWorld.overUdp();
  @TempDir Path folder;

  @BeforeAll
  static void installed() {
    FreeRadius.requireInstalled();
  }

  @AfterEach
  void close() {
    world.close();
  }

  private String radclient(String kind, String attributes) throws Exception {
    return FreeRadius.radclient(world.port(), RadiusWorld.VPN_SECRET, kind, attributes);
  }

  private static String pap(String name, String passcode, String more) {
    return "User-Name = \"" + name + "\"\nUser-Password = \"" + passcode + "\"\nMessage-Authenticator = 0x00\n" + more;
  }

  @Test
  void radclientIsAcceptedRejectedAndChallenged() throws Exception {
    assertThat(radclient("auth", pap("carol", "2468111111", "NAS-Identifier = \"vpn1\"\n")))
        .contains("Received Access-Accept", "Filter-Id = \"staff\"", "Session-Timeout = 28800", "Tunnel-Private-Group-Id:0 = \"20\"", "Tunnel-Type:0 = VLAN",
            "Tunnel-Medium-Type:0 = IEEE-802", "Message-Authenticator = 0x");
    assertThat(radclient("auth", pap("carol", "2468999999", ""))).contains("Received Access-Reject", "Reply-Message = \"Not accepted.");
    String challenge = radclient("auth", pap("carol", "next", ""));
    assertThat(challenge).contains("Received Access-Challenge", "enter the new code");
    Matcher state = STATE.matcher(challenge);
    assertThat(state.find()).isTrue();
    assertThat(radclient("auth", pap("carol", "2468222222", "State = " + state.group(1) + "\n"))).contains("Received Access-Accept");
  }

  @Test
  void radclientAsksForStatusAndReportsSessions() throws Exception {
    assertThat(radclient("status", "Message-Authenticator = 0x00\n")).contains("Received Access-Accept");
    assertThat(radclient("acct", "User-Name = \"carol\"\nAcct-Status-Type = Start\nAcct-Session-Id = \"s-9\"\n")).contains("Received Accounting-Response");
    assertThat(world.audit.events(AccountingReceived.class)).extracting(AccountingReceived::session).containsExactly("s-9");
  }

  @Test
  void radclientWithAnotherSecretGetsNothing() throws Exception {
    String output = FreeRadius.run(pap("carol", "2468111111", ""), "/usr/bin/radclient", "-x", "-r", "1", "-t", "1", "127.0.0.1:" + world.port(), "auth", "wrong");
    assertThat(output).contains("No reply from server");
  }

  @Test
  void freeRadiusPassesOnPapAndEndsEapTtls() throws Exception {
    try (FreeRadius front = FreeRadius.start(folder, world.port())) {
      assertThat(FreeRadius.radclient(front.port(), FreeRadius.SECRET, "auth", pap("carol", "2468111111", "")))
          .contains("Received Access-Accept", "Filter-Id = \"staff\"");
      assertThat(FreeRadius.radclient(front.port(), FreeRadius.SECRET, "auth", pap("carol", "2468999999", ""))).contains("Received Access-Reject");

      String accepted = wifi(front, "2468222222");
      assertThat(accepted).as(front.log()).contains("SUCCESS").doesNotContain("FAILURE");
      assertThat(wifi(front, "2468999999")).contains("FAILURE");
      assertThat(world.passcodes.asked).extracting(attempt -> attempt.client()).containsOnly("radius:vpn");
    }
  }

  private String wifi(FreeRadius front, String passcode) throws Exception {
    Path network =
        Files.writeString(
            folder.resolve("wifi.conf"),
            """
            network={
              ssid="gatehouse"
              key_mgmt=WPA-EAP
              eap=TTLS
              anonymous_identity="anonymous"
              identity="carol"
              password="%s"
              ca_cert="%s"
              domain_match="wifi.example.org"
              phase2="auth=PAP"
            }
            """
                .formatted(passcode, folder.resolve("ca.pem")));
    return FreeRadius.run(
        "", "/usr/bin/eapol_test", "-c", network.toString(), "-a", "127.0.0.1", "-p", String.valueOf(front.port()), "-s", FreeRadius.SECRET, "-t", "10");
  }
}
