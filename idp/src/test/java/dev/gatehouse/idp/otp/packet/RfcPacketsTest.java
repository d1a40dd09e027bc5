package dev.gatehouse.idp.otp.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The packets that RFC 2865, section 7, and RFC 5997, section 6, work out. */
class RfcPacketsTest {

  private static final SharedSecret SECRET = new SharedSecret("xyzzy5461");

  private static final String TELNET =
      "01000038 0f403f94 73978057 bd83d5cb 98f4227a 01066e65 6d6f0212 0dbe708d 93d413ce 3196e43f 782a0aee 0406c0a8 01100506 00000003";
  private static final String TELNET_ACCEPT = "02000026 86fe220e 7624ba2a 1005f6bf 9b55e0b2 06060000 00010f06 00000000 0e06c0a8 0103";
  private static final String CHAP =
      "01010047 2aee86f0 8d0d5596 9ca5978e 0d3367a2 0108666c 6f707379 031316e9 7557c316 185895f2 93ff6344 07727504 06c0a801 10050600"
          + "00001406 06000000 02070600 000001";
  private static final String CHALLENGED =
      "01020039 f3a47a1f 6a6d7671 0b947ab9 3041a039 01076d6f 70737902 12336575 73778289 b570885e 15084825 c50406c0 a8011005 06000000 07";
  private static final String CHALLENGE =
      "0b02004e 36f3c876 4ae8c711 57403c0c 71ff9c45 12304368 616c6c65 6e676520 33323736 39343330 2e202045 6e746572 20726573 706f6e73"
          + "65206174 2070726f 6d70742e 180a3332 37363934 3330";
  private static final String STATUS = "0cda0026 8a54f468 6fb394c5 2866e302 185d0623 50125a66 5e2e1e84 11f3e243 822097c8 4fa3";
  private static final String STATUS_ANSWER = "02da0014 ef0d552a 4bf2d693 ec2b6fe8 b5411d66";

  @Test
  void aPasswordIsRevealed() {
    RadiusPacket request = packet(TELNET);
    assertThat(request.code()).isEqualTo(PacketCode.ACCESS_REQUEST);
    assertThat(request.text(AttributeType.USER_NAME)).contains("nemo");
    assertThat(SECRET.password(request)).contains("arctangent");
    assertThat(SECRET.hide("arctangent", request.authenticator())).isEqualTo(request.value(AttributeType.USER_PASSWORD).orElseThrow());
    assertThat(SECRET.password(packet(CHALLENGED))).contains("challenge");
    assertThat(SECRET.hasMessageAuthenticator(request)).isFalse();
  }

  @Test
  void aResponseAuthenticatorIsComputed() {
    assertAnswers(TELNET, TELNET_ACCEPT);
    assertAnswers(CHALLENGED, CHALLENGE);
    assertAnswers(STATUS, STATUS_ANSWER);
    assertThat(packet(CHALLENGE).text(AttributeType.STATE)).contains("32769430");
  }

  @Test
  void aResponseWithoutMessageAuthenticatorCountsForNobody() {
    assertThat(SECRET.isResponseTo(packet(TELNET).authenticator(), packet(TELNET_ACCEPT))).isFalse();
  }

  @Test
  void chapIsSeen() {
    assertThat(packet(CHAP).has(AttributeType.CHAP_PASSWORD)).isTrue();
    assertThat(SECRET.password(packet(CHAP))).isEmpty();
  }

  @Test
  void aMessageAuthenticatorIsChecked() {
    assertThat(SECRET.hasMessageAuthenticator(packet(STATUS))).isTrue();
    assertThat(new SharedSecret("xyzzy5462").hasMessageAuthenticator(packet(STATUS))).isFalse();
  }

  private static void assertAnswers(String request, String response) {
    byte[] bytes = bytes(response);
    assertThat(SECRET.authenticator(bytes, bytes.length, packet(request).authenticator())).isEqualTo(packet(response).authenticator());
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static RadiusPacket packet(String hex) {
    byte[] bytes = bytes(hex);
    return ((ParsedPacket.Read) RadiusPacket.parse(bytes, bytes.length)).packet();
  }
}
