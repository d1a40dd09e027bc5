package dev.gatehouse.gateway.netty.codec;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.filter.ResponseFieldsFilter;
import dev.gatehouse.gateway.filter.Via;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.websocket.Handshake;
import java.nio.charset.StandardCharsets;

/** Writes the heads of responses to HTTP/1.1 clients. */
public final class ResponseHeads {

  private ResponseHeads() {}

  /** An interim response from an app. */
  public static void interim(ResponseHead response, HeadBuffer out) {
    statusLine(response, out);
    ResponseFieldsFilter.write(response.fields(), ResponseEdits.ANONYMOUS, out);
    out.endLine();
  }

  /** The app's 101 (Switching Protocols) for a WebSocket, without its end. */
  public static void switching(ResponseHead response, ResponseEdits edits, HeadBuffer out) {
    statusLine(response, out);
    ResponseFieldsFilter.write(response.fields(), edits, out);
    Via.response(out);
    Handshake.Asked.write(out);
  }

  /**
   * A final response from an app, without its end.
   *
   * @return whether its body must be written in chunks
   */
  public static boolean proxied(
      ResponseHead response, ResponseEdits edits, boolean oldClient, boolean close, HeadBuffer out) {
    statusLine(response, out);
    ResponseFieldsFilter.write(response.fields(), edits, out);
    Via.response(out);
    boolean chunked =
        switch (response.framing()) {
          case BodyFraming.None none -> {
            describeAbsentBody(response, out);
            yield false;
          }
          case BodyFraming.Length(long bytes) -> {
            out.put("Content-Length: ").put(bytes).endLine();
            yield false;
          }
          case BodyFraming.Chunked unknown -> !oldClient;
          case BodyFraming.UntilClose unknown -> !oldClient;
        };
    if (chunked) {
      out.put("Transfer-Encoding: chunked").endLine();
    }
    if (close) {
      out.put("Connection: close").endLine();
    }
    return chunked;
  }

  /** A response of the gateway itself, without its end. */
  public static void own(EdgeReply reply, String date, boolean close, HeadBuffer out) {
    out.put("HTTP/1.1 ").put(reply.status()).put(' ').endLine();
    boolean cacheControl = false;
    for (Headers.Field field : reply.headers().fields()) {
      String name = field.name();
      boolean framing =
          name.equalsIgnoreCase("Content-Length")
              || name.equalsIgnoreCase("Transfer-Encoding")
              || name.equalsIgnoreCase("Connection");
      if (!framing) {
        out.put(name).put(": ").put(field.value().getBytes(StandardCharsets.UTF_8)).endLine();
      }
      cacheControl |= name.equalsIgnoreCase("Cache-Control");
    }
    if (!cacheControl) {
      out.put("Cache-Control: no-store").endLine();
    }
    out.putField("Date", date);
    if (mayHaveBody(reply.status())) {
      out.put("Content-Length: ").put(reply.body().length).endLine();
    }
    if (close) {
      out.put("Connection: close").endLine();
    }
  }

  /** Ends a head that {@link #proxied}, {@link #own} or {@link #switching} has begun. */
  public static void end(String requestId, HeadBuffer out) {
    out.putField(RequestId.FIELD, requestId).endLine();
  }

  public static boolean mayHaveBody(int status) {
    return status >= 200 && status != 204 && status != 304;
  }

  /** Returns whether the bytes that follow a refusal with this status cannot be interpreted reliably. */
  public static boolean endsConnection(int status) {
    return switch (status) {
      case 400, 408, 413, 414, 417, 431, 505 -> true;
      default -> false;
    };
  }

  private static void statusLine(ResponseHead response, HeadBuffer out) {
    out.put("HTTP/1.1 ").put(response.status()).put(' ');
    out.put(response.fields().bytes(), response.reasonStart(), response.reasonEnd()).endLine();
  }

  /**
   * Content-Length of a response to HEAD or of a 304 describes the body that a GET would return (RFC 9110, section
   * 8.6).
   */
  private static void describeAbsentBody(ResponseHead response, HeadBuffer out) {
    Fields fields = response.fields();
    int length = fields.next(FieldName.CONTENT_LENGTH, 0);
    if (length >= 0 && response.status() >= 200 && response.status() != 204) {
      out.putField(fields, length);
    }
  }
}
