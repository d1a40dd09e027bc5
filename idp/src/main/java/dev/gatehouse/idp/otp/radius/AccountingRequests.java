package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditEvent.AccountingReceived;
import dev.gatehouse.common.audit.AuditEvent.Context;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.idp.otp.packet.AttributeType;
import dev.gatehouse.idp.otp.packet.PacketCode;
import dev.gatehouse.idp.otp.packet.PacketWriter;
import dev.gatehouse.idp.otp.packet.RadiusPacket;
import dev.gatehouse.idp.otp.radius.RadiusMetrics.Result;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Answers authentic Accounting-Requests after the audit log has the event (RFC 2866, section 2). Interim updates are answered and counted
 * only: each session sends one every few minutes.
 */
final class AccountingRequests {

  private static final Map<Long, String> STATUS = Map.of(1L, "start", 2L, "stop", 7L, "on", 8L, "off");

  private static final Map<AttributeType, String> NUMBERS =
      Map.of(
          AttributeType.ACCT_SESSION_TIME, "seconds", AttributeType.ACCT_INPUT_OCTETS, "received", AttributeType.ACCT_OUTPUT_OCTETS, "sent",
          AttributeType.ACCT_TERMINATE_CAUSE, "cause");

  private final AuditLog audit;

  AccountingRequests(AuditLog audit) {
    this.audit = audit;
  }

  Answer answer(KnownClient client, InetAddress from, RadiusPacket request) {
    String status = request.number(AttributeType.ACCT_STATUS_TYPE).map(STATUS::get).orElse("");
    if (!status.isEmpty()) {
      Context context = new Context(client.realm().name(), from.getHostAddress(), Optional.empty());
      audit.record(
          new AccountingReceived(
              context, client.name(), shown(request, AttributeType.USER_NAME), status, shown(request, AttributeType.ACCT_SESSION_ID),
              details(request)));
    }
    PacketWriter response = new PacketWriter(PacketCode.ACCOUNTING_RESPONSE, request.identifier());
    return AccessRequests.sent(client, request, response, Result.ACCOUNTED);
  }

  private static Map<String, String> details(RadiusPacket request) {
    Map<String, String> details = new TreeMap<>();
    NUMBERS.forEach((type, name) -> request.number(type).ifPresent(number -> details.put(name, Long.toString(number))));
    String place = shown(request, AttributeType.CALLING_STATION_ID);
    if (!place.equals("-")) {
      details.put("place", place);
    }
    return details;
  }

  private static String shown(RadiusPacket request, AttributeType type) {
    return request.plainText(type).orElse("-");
  }
}
