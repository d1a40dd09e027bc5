package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.radius.RadiusMetrics.Result;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Answers authentic Access-Requests: PAP only (RFC 2865, section 4.1). */
final class AccessRequests {

  private static final String CONTRACT = "radius";

  /** Microsoft's number, and its types of a response to MS-CHAP and MS-CHAP-2 (RFC 2548, section 2). */
  private static final int MICROSOFT = 311;

  private static final int MS_CHAP_RESPONSE = 1;
  private static final int MS_CHAP2_RESPONSE = 25;

  private final Passcodes passcodes;
  private final AuditLog audit;

  AccessRequests(Passcodes passcodes, AuditLog audit) {
    this.passcodes = passcodes;
    this.audit = audit;
  }

  Answer answer(KnownClient client, InetAddress from, RadiusPacket request) {
    Context context = new Context(client.realm().name(), from.getHostAddress(), Optional.empty());
    Optional<Rejection> unusable = unusable(request);
    Optional<String> name = usableName(request);
    Optional<String> password = password(client, request);
    if (unusable.isPresent() || name.isEmpty() || password.isEmpty()) {
      Rejection why = unusable.orElseGet(() -> name.isEmpty() ? Rejection.NAME_MISSING : Rejection.PASSWORD_MISSING);
      audit.record(new MessageRefused(context, client.name(), request.code().words(), why.name()));
      return rejected(client, request, why);
    }
    Optional<PasscodeCheck> check = passcodes.of(client.realm());
    if (check.isEmpty()) {
      return new Answer.Silent(Dropped.UNAVAILABLE);
    }
    PasscodeAttempt attempt = new PasscodeAttempt(name.get(), password.get(), client.asker(), place(request));
    PasscodeResult result =
        request.value(AttributeType.STATE)
            .map(state -> check.get().answer(new String(state, StandardCharsets.ISO_8859_1), attempt))
            .orElseGet(() -> check.get().check(attempt));
    return switch (result) {
      case Accepted accepted -> accepted(client, context, request, accepted.person());
      case Challenged challenged -> challenged(client, request, challenged);
      case Refused refused -> rejected(client, request, RadiusTexts.in(client.config().language()).refused());
    };
  }

  private static Optional<Rejection> unusable(RadiusPacket request) {
    if (request.has(AttributeType.EAP_MESSAGE)) {
      return Optional.of(Rejection.EAP_NOT_ACCEPTED);
    }
    if (request.has(AttributeType.CHAP_PASSWORD)) {
      return Optional.of(Rejection.CHAP_NOT_ACCEPTED);
    }
    if (request.hasOfVendor(MICROSOFT, MS_CHAP_RESPONSE) || request.hasOfVendor(MICROSOFT, MS_CHAP2_RESPONSE)) {
      return Optional.of(Rejection.MSCHAP_NOT_ACCEPTED);
    }
    return request.hasSeveral(AttributeType.STATE) ? Optional.of(Rejection.STATE_AMBIGUOUS) : Optional.empty();
  }

  private static Optional<String> usableName(RadiusPacket request) {
    return request.hasSeveral(AttributeType.USER_NAME)
        ? Optional.empty()
        : request.plainText(AttributeType.USER_NAME).filter(name -> !name.isBlank());
  }

  private static Optional<String> password(KnownClient client, RadiusPacket request) {
    return request.hasSeveral(AttributeType.USER_PASSWORD)
        ? Optional.empty()
        : client.secret().password(request).filter(password -> !password.isEmpty());
  }

  /** Returns where the person is, as the client says: an address or a telephone number. */
  private static String place(RadiusPacket request) {
    return request.plainText(AttributeType.CALLING_STATION_ID).orElse("");
  }

  private Answer accepted(KnownClient client, Context context, RadiusPacket request, Person person) {
    if (!AcceptReply.mayUse(client, person)) {
      return notAdmitted(client, context, request, person, Rejection.ROLE_MISSING);
    }
    Optional<Attributes> attributes = AcceptReply.of(client, person);
    if (attributes.isEmpty()) {
      return notAdmitted(client, context, request, person, Rejection.NO_REPLY_FITS);
    }
    PacketWriter accept = new PacketWriter(PacketCode.ACCESS_ACCEPT, request.identifier());
    AcceptReply.write(attributes.get(), accept);
    return sent(client, request, accept, Result.ACCEPTED);
  }

  private Answer notAdmitted(KnownClient client, Context context, RadiusPacket request, Person person, Rejection why) {
    audit.record(new LoginRefused(context, person.name(), CONTRACT, why.name()));
    return rejected(client, request, why);
  }

  private static Answer challenged(KnownClient client, RadiusPacket request, Challenged challenged) {
    PacketWriter challenge =
        new PacketWriter(PacketCode.ACCESS_CHALLENGE, request.identifier())
            .add(AttributeType.STATE, challenged.reference().getBytes(StandardCharsets.ISO_8859_1))
            .add(AttributeType.REPLY_MESSAGE, RadiusTexts.in(client.config().language()).of(challenged.question()));
    return sent(client, request, challenge, Result.CHALLENGED);
  }

  private static Answer rejected(KnownClient client, RadiusPacket request, Rejection why) {
    byte[] text =
        why.sentence().isEmpty()
            ? RadiusTexts.in(client.config().language()).refused()
            : why.sentence().getBytes(StandardCharsets.UTF_8);
    return rejected(client, request, text);
  }

  private static Answer rejected(KnownClient client, RadiusPacket request, byte[] text) {
    PacketWriter reject = new PacketWriter(PacketCode.ACCESS_REJECT, request.identifier()).add(AttributeType.REPLY_MESSAGE, text);
    return sent(client, request, reject, Result.REJECTED);
  }

  /** Proxies want their attributes back, in their order (RFC 2865, section 5.33). */
  static Answer sent(KnownClient client, RadiusPacket request, PacketWriter answer, Result result) {
    return answer
        .copy(AttributeType.PROXY_STATE, request)
        .response(request.authenticator(), client.secret())
        .<Answer>map(packet -> new Answer.Sent(packet, result))
        .orElseGet(() -> new Answer.Silent(Dropped.ANSWER_TOO_LONG));
  }
}
