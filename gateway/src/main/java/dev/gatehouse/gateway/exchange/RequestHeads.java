package dev.gatehouse.gateway.exchange;

import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.trace.RequestTrace;
import dev.gatehouse.gateway.accesslog.AccessEntry;
import dev.gatehouse.gateway.filter.HeaderEdits;
import dev.gatehouse.gateway.filter.Via;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.route.PermittedRequest;
import dev.gatehouse.gateway.signon.BasicCredentials;
import dev.gatehouse.gateway.websocket.Handshake;
import io.opentelemetry.api.trace.Span;

/** Encodes the heads of requests as apps receive them. */
final class RequestHeads {

  private RequestHeads() {}

  /**
   * Encodes the path that was authorized, and only fields that the gateway has examined.
   *
   * @param basePath of the server, before the app's path
   * @param entry has the id of the request and the protocol in which the client sent it
   * @param span of this request to the app
   * @param upgrade whether the request is a WebSocket handshake
   */
  static HeadBuffer proxied(
      PermittedRequest request, String basePath, AccessEntry entry, Span span, boolean upgrade, HeadBuffer out) {
    RequestHead head = request.head();
    HeaderEdits edits = request.permit().edits();
    out.put(head.method()).put(' ').put(basePath).put(request.appPath());
    edits.writeQuery(head.fields().bytes(), head.pathEnd(), head.targetEnd(), out);
    out.put(" HTTP/1.1").endLine();
    boolean strays = request.to().site().asksForPasswords() && BasicCredentials.areIn(head.fields());
    request
        .to()
        .table()
        .requestFields()
        .write(head.fields(), request.to().forwarded(), strays ? edits.withoutToken() : edits, entry.trace().isOn(), out);
    Via.request(entry.protocol(), out);
    if (!entry.requestId().isEmpty()) {
      out.putField(RequestId.FIELD, entry.requestId());
    }
    if (entry.trace().isOn()) {
      trace(entry.trace(), span, out);
    }
    switch (head.framing()) {
      case BodyFraming.Length(long bytes) -> out.put("Content-Length: ").put(bytes).endLine();
      case BodyFraming.Chunked chunked -> out.put("Transfer-Encoding: chunked").endLine();
      case BodyFraming.None none -> {}
      case BodyFraming.UntilClose close -> throw new IllegalStateException("no request is framed so");
    }
    if (upgrade) {
      Handshake.Asked.write(out);
    } else if (head.takesTrailers()) {
      // Without TE: trailers, an app need not send trailers (RFC 9110, section 6.5.1).
      out.put("TE: trailers").endLine().put("Connection: TE").endLine();
    }
    return out.endLine();
  }

  private static void trace(RequestTrace trace, Span span, HeadBuffer out) {
    out.putField(RequestTrace.PARENT_FIELD, trace.parentField(span));
    if (!trace.stateField().isEmpty()) {
      out.putField(RequestTrace.STATE_FIELD, trace.stateField());
    }
  }

  /**
   * Returns whether the request has a body although its method gives it no meaning (RFC 9110, section 9.3). Servers may leave
   * such a body unread, and the rest must not be taken for a request.
   */
  static boolean mayBeLeftUnread(RequestHead head) {
    return head.hasBody()
        && switch (head.method()) {
          case "GET", "HEAD", "DELETE", "OPTIONS" -> true;
          case String other -> false;
        };
  }
}
