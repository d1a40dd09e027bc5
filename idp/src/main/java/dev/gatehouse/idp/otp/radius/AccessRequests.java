package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditEvent.LoginRefused;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realm.RadiusConfig.Attributes;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.radius.RadiusMetrics.Result;
import dev.gatehouse.idp.otp.visit.Visits;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Answers authentic Access-Requests: PAP only (RFC 2865, section 4.1). */
final class AccessRequests {

  private static final String CONTRACT = "radius";

  /** Microsoft's number, and its types of a response to MS-CHAP and MS-CHAP-2 (RFC 2548, section 2). */
  private static final int MICROSOFT = 311;

  private static final int MS_CHAP_RESPONSE = 1;
  private static final int MS_CHAP2_RESPONSE = 25;

  private final Passcodes passcodes;
  private final AuditLog audit;
  private final RefusalLog refusals;

  AccessRequests(Passcodes passcodes, AuditLog audit, RefusalLog refusals) {
    this.passcodes = passcodes;
    this.audit = audit;
    this.refusals = refusals;
  }

  Answer answer(KnownClient client, InetAddress from, RadiusPacket request) {
    Context context = new Context(client.realm().name(), from.getHostAddress(), Optional.empty());
    Optional<Rejection> unusable = unusable(request);
    Optional<String> name = usableName(request);
    Optional<String> password = password(client, request);
    if (unusable.isPresent() || name.isEmpty() || password.isEmpty()) {
      Rejection rejection = unusable.orElseGet(() -> name.isEmpty() ? Rejection.NAME_MISSING : Rejection.PASSWORD_MISSING);
      recordUntried(client, new MessageRefused(context, client.name(), request.code().words(), rejection.name()));
      return rejected(client, request, rejection);
    }
    Optional<PasscodeCheck> check = passcodes.of(client.realm(), client.config().visitors());
    if (check.isEmpty()) {
      return new Answer.Silent(Dropped.UNAVAILABLE);
    }
    AtomicReference<Rejection> why = new AtomicReference<>();
    PasscodeAttempt attempt =
        new PasscodeAttempt(
            name.get(),
            password.get(),
            client.asker(),
            place(request),
            new PasscodeAttempt.Admission(
                AcceptReply.looksAtRoles(client),
                person -> {
                  Optional<Rejection> rejection = notAdmitted(client, person);
                  rejection.ifPresent(why::set);
                  return rejection.isEmpty();
                }));
    PasscodeResult result;
    try {
      result =
          request.value(AttributeType.STATE)
              .map(state -> check.get().answer(new String(state, StandardCharsets.ISO_8859_1), attempt))
              .orElseGet(() -> check.get().check(attempt));
    } catch (PasscodeStoreUnavailable e) {
      if (!e.isCrowded()) {
        throw e;
      }
      // Silence would make the client take this server for dead, for everybody.
      recordUntried(client, new LoginRefused(context, name.get(), CONTRACT, Rejection.PLACE_CROWDED.name()));
      return rejected(client, request, RadiusTexts.in(client.config().language()).crowded());
    }
    return switch (result) {
      case Accepted accepted -> accepted(client, context, request, accepted);
      case Challenged challenged -> challenged(client, from, request, challenged);
      case Refused(Reason reason) when reason == Reason.NOT_ADMITTED ->
          notAsked(client, context, request, name.get(), Objects.requireNonNullElse(why.get(), Rejection.ROLE_MISSING));
      case Refused(Reason reason) when reason == Reason.PIN_NOT_ALLOWED ->
          rejected(client, request, RadiusTexts.in(client.config().language()).pinRefused());
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

  private Answer accepted(KnownClient client, Context context, RadiusPacket request, Accepted accepted) {
    Person person = accepted.person();
    Optional<Rejection> why = notAdmitted(client, person);
    Optional<Attributes> attributes = AcceptReply.of(client, person);
    if (why.isPresent() || attributes.isEmpty()) {
      return notAdmitted(client, context, request, person.name(), why.orElse(Rejection.NO_REPLY_FITS));
    }
    PacketWriter accept = new PacketWriter(PacketCode.ACCESS_ACCEPT, request.identifier());
    AcceptReply.write(attributes.get(), accept);
    if (Visits.isVisitor(accepted)) {
      // What was typed may be the name of a local account at the client; a visitor is none (RFC 2865, section 5.1).
      accept.add(AttributeType.USER_NAME, person.name());
    }
    return sent(client, request, accept, Result.ACCEPTED);
  }

  /** Returns why the client does not admit the person: asked before a passcode is used up, and once more by what is known then. */
  private static Optional<Rejection> notAdmitted(KnownClient client, Person person) {
    if (!AcceptReply.mayUse(client, person)) {
      return Optional.of(Rejection.ROLE_MISSING);
    }
    return AcceptReply.of(client, person).isEmpty() ? Optional.of(Rejection.NO_REPLY_FITS) : Optional.empty();
  }

  /** What was decided about a passcode is written already; about visitors whom the client can never admit, nobody was asked. */
  private Answer notAsked(KnownClient client, Context context, RadiusPacket request, String name, Rejection why) {
    recordUntried(client, new LoginRefused(context, name, CONTRACT, why.name()));
    return rejected(client, request, why);
  }

  /**
   * Writes, at a pace, what no hash and no home decided about. The client is known, but whoever types at it is not, and what costs them
   * nothing would fill the audit log.
   */
  private void recordUntried(KnownClient client, AuditEvent event) {
    if (refusals.admits(client.realm().name(), client.asker())) {
      audit.record(event);
    }
  }

  private Answer notAdmitted(KnownClient client, Context context, RadiusPacket request, String name, Rejection why) {
    audit.record(new LoginRefused(context, name, CONTRACT, why.name()));
    return rejected(client, request, why);
  }

  /** A PIN that the server has made goes where nobody else reads it: Reply-Message is not hidden, as User-Password is. */
  private static Answer challenged(KnownClient client, InetAddress from, RadiusPacket request, Challenged challenged) {
    boolean isSecret = challenged.shown().isPresent() && challenged.question() != Question.RESPONSE;
    boolean isHeard = isSecret && !client.isConfidential(from);
    if (isHeard && challenged.question() == Question.SERVER_PIN) {
      return rejected(client, request, RadiusTexts.in(client.config().language()).elsewhere());
    }
    Optional<String> shown = isHeard ? Optional.empty() : challenged.shown();
    // What a visitor's PIN may be, is their home's rule.
    Optional<RadiusTexts.PinBounds> pin =
        client.realm().idp()
            .flatMap(idp -> idp.contracts().token())
            .filter(rules -> !Visits.isOfHome(challenged.reference()))
            .map(rules -> new RadiusTexts.PinBounds(rules.pin().least(), rules.pin().most()));
    PacketWriter challenge =
        new PacketWriter(PacketCode.ACCESS_CHALLENGE, request.identifier())
            .add(AttributeType.STATE, challenged.reference().getBytes(StandardCharsets.ISO_8859_1))
            .add(AttributeType.REPLY_MESSAGE, RadiusTexts.in(client.config().language()).of(challenged.question(), shown, pin));
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
