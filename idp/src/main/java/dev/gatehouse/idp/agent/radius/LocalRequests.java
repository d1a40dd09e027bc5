package dev.gatehouse.idp.agent.radius;

import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Challenged;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import dev.gatehouse.idp.otp.radius.RadiusTexts;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What becomes of packets of this host: PAP only (RFC 2865, section 4.1). */
final class LocalRequests {

  private final SharedSecret secret;
  private final RadiusTexts texts;
  private final Passcodes passcodes;

  LocalRequests(LocalRadiusSettings settings, Passcodes passcodes) {
    this.secret = new SharedSecret(settings.secret().value());
    this.texts = RadiusTexts.in(settings.language());
    this.passcodes = passcodes;
  }

  /**
   * Returns whether the packet is of a program that has the secret. Without Message-Authenticator only the password tells: with another
   * secret it becomes bytes that nobody types, so that others on this host cannot count wrong passcodes for people.
   */
  boolean isAuthentic(RadiusPacket packet) {
    return switch (packet.code()) {
      case ACCESS_REQUEST ->
          packet.has(AttributeType.MESSAGE_AUTHENTICATOR)
              ? secret.hasMessageAuthenticator(packet)
              : secret.password(packet).filter(LocalRequests::isTyped).isPresent();
      case STATUS_SERVER -> packet.has(AttributeType.MESSAGE_AUTHENTICATOR) && secret.hasMessageAuthenticator(packet);
      case ACCESS_ACCEPT, ACCESS_REJECT, ACCESS_CHALLENGE, ACCOUNTING_REQUEST, ACCOUNTING_RESPONSE -> false;
    };
  }

  private static boolean isTyped(String password) {
    return !password.isEmpty() && password.chars().noneMatch(Character::isISOControl);
  }

  /** Returns whether the packet says by itself that its sender has the secret. */
  static boolean isSigned(RadiusPacket packet) {
    return packet.has(AttributeType.MESSAGE_AUTHENTICATOR);
  }

  /** Returns the answer to an authentic packet; nothing if nothing was decided, so that the program asks again or elsewhere. */
  Optional<byte[]> answer(RadiusPacket packet) {
    if (packet.code() == PacketCode.STATUS_SERVER) {
      return finished(packet, new PacketWriter(PacketCode.ACCESS_ACCEPT, packet.identifier()));
    }
    Optional<String> name =
        packet.hasSeveral(AttributeType.USER_NAME)
            ? Optional.empty()
            : packet.plainText(AttributeType.USER_NAME).filter(text -> !text.isBlank());
    Optional<String> password =
        packet.hasSeveral(AttributeType.USER_PASSWORD) ? Optional.empty() : secret.password(packet).filter(LocalRequests::isTyped);
    if (name.isEmpty() && !isSigned(packet)) {
      // An answer would tell whether the bytes of a password fit.
      return Optional.empty();
    }
    if (name.isEmpty() || password.isEmpty() || packet.hasSeveral(AttributeType.STATE)) {
      return rejected(packet, texts.refused());
    }
    Optional<String> challenge = packet.value(AttributeType.STATE).map(state -> new String(state, StandardCharsets.ISO_8859_1));
    String address = packet.plainText(AttributeType.CALLING_STATION_ID).orElse("");
    RealmAnswer answer = passcodes.ask(new Asked(name.get(), password.get(), challenge, address));
    return switch (answer) {
      case Accepted accepted -> finished(packet, new PacketWriter(PacketCode.ACCESS_ACCEPT, packet.identifier()));
      case Rejected rejected -> rejected(packet, texts.refused());
      case Challenged(var question, String reference, var shown, var pin) ->
          finished(
              packet,
              new PacketWriter(PacketCode.ACCESS_CHALLENGE, packet.identifier())
                  .add(AttributeType.STATE, reference.getBytes(StandardCharsets.ISO_8859_1))
                  .add(AttributeType.REPLY_MESSAGE, texts.of(question, shown, pin)));
      case RealmAnswer.Unknown unknown -> rejected(packet, texts.unknown());
      case Unavailable unavailable -> Optional.empty();
    };
  }

  private Optional<byte[]> rejected(RadiusPacket packet, byte[] text) {
    return finished(packet, new PacketWriter(PacketCode.ACCESS_REJECT, packet.identifier()).add(AttributeType.REPLY_MESSAGE, text));
  }

  private Optional<byte[]> finished(RadiusPacket packet, PacketWriter answer) {
    return answer.copy(AttributeType.PROXY_STATE, packet).response(packet.authenticator(), secret);
  }
}
