package dev.gatehouse.gateway.netty.http2;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.gateway.cache.AgedResponse;
import dev.gatehouse.gateway.filter.ResponseEdits;
import dev.gatehouse.gateway.filter.ResponseFieldsFilter;
import dev.gatehouse.gateway.filter.Via;
import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.netty.codec.ResponseHeads;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Builds the heads of responses to HTTP/2 clients (RFC 9113, section 8.3.2). */
final class Http2ResponseHeads {

  private static final AsciiString VIA = AsciiString.cached(Via.NAME);
  private static final AsciiString VIA_VALUE = AsciiString.cached(Via.RESPONSE);
  static final AsciiString REQUEST_ID = AsciiString.cached(RequestId.FIELD.toLowerCase(Locale.ROOT));
  private static final AsciiString NO_STORE = AsciiString.cached("no-store");

  private Http2ResponseHeads() {}

  /** 100 (Continue). */
  static Http2Headers continue100() {
    return new Http2SentFields().head(100);
  }

  /** An interim response from an app. */
  static Http2Headers interim(ResponseHead response) {
    Http2SentFields out = new Http2SentFields();
    ResponseFieldsFilter.write(response.fields(), ResponseEdits.ANONYMOUS, out);
    return out.head(response.status());
  }

  /** A final response from an app. */
  static Http2Headers proxied(ResponseHead response, ResponseEdits edits, String requestId) {
    return fields(response, edits).putField(REQUEST_ID, new AsciiString(requestId)).head(response.status());
  }

  private static Http2SentFields fields(ResponseHead response, ResponseEdits edits) {
    Http2SentFields out = new Http2SentFields();
    ResponseFieldsFilter.write(response.fields(), edits, out);
    out.putField(VIA, VIA_VALUE);
    if (response.framing() instanceof BodyFraming.Length(long bytes)) {
      out.putField(HttpHeaderNames.CONTENT_LENGTH, AsciiString.of(Long.toString(bytes)));
    } else if (response.framing() instanceof BodyFraming.None) {
      int length = response.fields().next(FieldName.CONTENT_LENGTH, 0);
      if (length >= 0 && response.status() != 204) {
        out.putField(response.fields(), length);
      }
    }
    return out;
  }

  /** The head of a stored response; all but the request's id is built once a second and shared. */
  static Http2Headers stored(AgedResponse response, ResponseEdits edits, String requestId) {
    AsciiString id = new AsciiString(requestId);
    if (response.fields(edits) instanceof Http2SentFields.Kept known) {
      return known.with(REQUEST_ID, id);
    }
    Http2SentFields.Kept fresh = fields(response.head(), edits).kept(response.head().status());
    response.fields(edits, fresh);
    return fresh.with(REQUEST_ID, id);
  }

  /** The trailer fields of an app's response; null if none remain. */
  static @Nullable Http2Headers trailers(Fields trailers) {
    Http2SentFields out = new Http2SentFields();
    ResponseFieldsFilter.writeTrailers(trailers, out);
    return out.isEmpty() ? null : out.trailers();
  }

  /** A response of the gateway itself. */
  static Http2Headers own(EdgeReply reply, String date, String requestId) {
    Http2SentFields out = new Http2SentFields();
    boolean cacheControl = false;
    for (Headers.Field field : reply.headers().fields()) {
      String name = field.name();
      if (!isAboutTheConnection(name)) {
        out.putField(name, field.value().getBytes(StandardCharsets.UTF_8));
      }
      cacheControl |= name.equalsIgnoreCase("Cache-Control");
    }
    if (!cacheControl) {
      out.putField(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
    }
    out.putField(HttpHeaderNames.DATE, AsciiString.of(date));
    if (ResponseHeads.mayHaveBody(reply.status())) {
      out.putField(HttpHeaderNames.CONTENT_LENGTH, AsciiString.of(Integer.toString(reply.body().length)));
    }
    return out.putField(REQUEST_ID, new AsciiString(requestId)).head(reply.status());
  }

  private static boolean isAboutTheConnection(String name) {
    return name.equalsIgnoreCase("Content-Length")
        || name.equalsIgnoreCase("Transfer-Encoding")
        || name.equalsIgnoreCase("Connection")
        || name.equalsIgnoreCase("Keep-Alive")
        || name.equalsIgnoreCase("Upgrade");
  }
}
