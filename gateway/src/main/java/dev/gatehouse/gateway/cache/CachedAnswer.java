package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.BodyFraming;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/** What is sent of a kept response: conditions and ranges are answered here (RFC 9110, sections 13 and 14). */
public sealed interface CachedAnswer {

  /** All of it. */
  record Whole(AgedResponse response) implements CachedAnswer {}

  /** Something of it: a head alone, or a part of the body. */
  record Part(ResponseHead head, ByteBuffer body) implements CachedAnswer {}

  ByteBuffer NO_BODY = ByteBuffer.allocateDirect(0);

  /** The answer to that request at that time. */
  static CachedAnswer of(StoredResponse kept, CacheRequest request, long now) {
    boolean special = request.isSpecial() && kept.status() == 200;
    if (special && Conditions.isUnchanged(kept, request)) {
      return new Part(notModified(kept, request, now), NO_BODY);
    }
    Optional<ByteRange> range =
        special && !request.isHead() && Conditions.mayBePart(kept, request)
            ? ByteRange.of(request.range(), kept.plain().length())
            : Optional.empty();
    if (range.isPresent()) {
      return part(kept, range.get(), now);
    }
    AgedResponse aged = form(kept, request).at(now, kept.freshness());
    if (request.isHead()) {
      ResponseHead head = aged.head();
      return new Part(
          new ResponseHead(
              head.status(), head.reasonStart(), head.reasonEnd(), head.fields(), BodyFraming.NONE, true),
          NO_BODY);
    }
    return new Whole(aged);
  }

  private static ContentCoding form(StoredResponse kept, CacheRequest request) {
    ContentCoding gzip = kept.gzip();
    return gzip != null && request.acceptsGzip() ? gzip : kept.plain();
  }

  private static ResponseHead notModified(StoredResponse kept, CacheRequest request, long now) {
    Fields fields = form(kept, request).at(now, kept.freshness()).head().fields();
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

  private static CachedAnswer part(StoredResponse kept, ByteRange range, long now) {
    Fields fields = kept.plain().at(now, kept.freshness()).head().fields();
    int whole = kept.plain().length();
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
    ByteBuffer body = kept.plain().body().duplicate().slice(range.first(), range.length());
    return new Part(ContentCoding.parse(out), body);
  }
}
