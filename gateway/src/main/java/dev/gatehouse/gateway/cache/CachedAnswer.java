package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/** The answer from a stored response: evaluates conditions and ranges (RFC 9110, sections 13 and 14). */
public sealed interface CachedAnswer {

  /** The complete response. */
  record Whole(AgedResponse response) implements CachedAnswer {}

  /** A head alone. */
  record Head(ResponseHead head) implements CachedAnswer {}

  /**
   * A head with a part of the body.
   *
   * @param body the part of {@code whole}
   */
  record Part(ResponseHead head, ByteBuffer body, CachedBody whole) implements CachedAnswer {}

  /**
   * The answer to a request at a time.
   *
   * @param now in seconds since the epoch
   */
  static CachedAnswer of(StoredResponse stored, CacheRequest request, long now) {
    boolean special = request.isSpecial() && stored.status() == 200;
    if (special && Conditions.isUnchanged(stored, request)) {
      return new Head(notModified(stored, request, now));
    }
    Optional<ByteRange> range =
        special && !request.isHead() && Conditions.mayBePart(stored, request)
            ? ByteRange.of(request.range(), stored.plain().length())
            : Optional.empty();
    if (range.isPresent()) {
      return part(stored, range.get(), now);
    }
    AgedResponse aged = coding(stored, request).at(now, stored.freshness());
    if (request.isHead()) {
      ResponseHead head = aged.head();
      return new Head(
          new ResponseHead(head.status(), head.reasonStart(), head.reasonEnd(), head.fields(), BodyFraming.NONE, true));
    }
    return new Whole(aged);
  }

  private static ContentCoding coding(StoredResponse stored, CacheRequest request) {
    ContentCoding gzip = stored.gzip();
    return gzip != null && request.acceptsGzip() ? gzip : stored.plain();
  }

  private static ResponseHead notModified(StoredResponse stored, CacheRequest request, long now) {
    Fields fields = coding(stored, request).at(now, stored.freshness()).head().fields();
    HeadBuffer out = new HeadBuffer();
    out.put("HTTP/1.1 304 Not Modified").endLine();
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.nameText(i).toLowerCase(Locale.ROOT);
      if (!name.startsWith("content-") || name.equals("content-location")) {
        out.putField(fields, i);
      }
    }
    return ContentCoding.parse(out);
  }

  private static CachedAnswer part(StoredResponse stored, ByteRange range, long now) {
    Fields fields = stored.plain().at(now, stored.freshness()).head().fields();
    int whole = stored.plain().length();
    HeadBuffer out = new HeadBuffer();
    out.put(range.isSatisfiable() ? "HTTP/1.1 206 Partial Content" : "HTTP/1.1 416 Range Not Satisfiable").endLine();
    for (int i = 0; i < fields.size(); i++) {
      String name = fields.nameText(i).toLowerCase(Locale.ROOT);
      boolean ofBody = name.equals("content-length") || name.equals("content-range");
      if (!ofBody && (range.isSatisfiable() || !name.startsWith("content-"))) {
        out.putField(fields, i);
      }
    }
    out.putField("Content-Range", range.contentRange(whole));
    out.put("Content-Length: ").put(range.length()).endLine();
    if (!range.isSatisfiable()) {
      return new Head(ContentCoding.parse(out));
    }
    CachedBody body = stored.plain().shared();
    return new Part(ContentCoding.parse(out), body.bytes().slice(range.first(), range.length()), body);
  }
}
