package dev.gatehouse.idp.otp.packet;

import dev.gatehouse.idp.otp.packet.ParsedPacket.Read;
import java.util.HexFormat;
import java.util.List;

/** Bytes are no packet, or one whose attributes all lie in it; reading them never fails. */
public final class RadiusPacketFuzz {

  private static final SharedSecret SECRET = new SharedSecret("xyzzy5461");

  private RadiusPacketFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    if (RadiusPacket.parse(bytes, bytes.length) instanceof Read(RadiusPacket packet)) {
      readAll(packet, SECRET);
    }
  }

  /** Reads everything that anybody reads. */
  static void readAll(RadiusPacket packet, SharedSecret secret) {
    int read = 0;
    for (AttributeType type : AttributeType.values()) {
      read += packet.value(type).map(value -> value.length).orElse(0);
      packet.text(type);
      packet.number(type);
      packet.hasSeveral(type);
    }
    if (read > packet.length()) {
      throw new IllegalStateException("read what is not there");
    }
    packet.hasOfVendor(311, 25);
    secret.password(packet);
    secret.hasMessageAuthenticator(packet);
    secret.hasAccountingAuthenticator(packet);
    byte[] authenticator = packet.authenticator();
    secret.isResponseTo(authenticator, packet);
    new PacketWriter(PacketCode.ACCESS_REJECT, packet.identifier()).copy(AttributeType.PROXY_STATE, packet).response(authenticator, secret);
  }

  public static List<byte[]> seeds() {
    return List.of(
        HexFormat.of()
            .parseHex("010000380f403f9473978057bd83d5cb98f4227a01066e656d6f02120dbe708d93d413ce3196e43f782a0aee0406c0a80110050600000003"),
        HexFormat.of().parseHex("0cda00268a54f4686fb394c52866e302185d062350125a665e2e1e8411f3e243822097c84fa3"));
  }
}
