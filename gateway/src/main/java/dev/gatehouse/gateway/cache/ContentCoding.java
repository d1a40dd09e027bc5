package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ParsedResponse;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One content coding of a stored response: as the app sent it, or gzip. Its head lacks only the fields that change with
 * time.
 */
public final class ContentCoding {

  private static final ResponseParser PARSER = new ResponseParser(new HeadLimits(8 << 20, 0, 40_000));

  private final byte[] head;
  private final CachedBody body;
  private volatile @Nullable AgedResponse aged;

  /** @param head status line and fields, without the empty line */
  ContentCoding(byte[] head, CachedBody body) {
    this.head = head;
    this.body = body;
  }

  public int length() {
    return body.length();
  }

  ByteBuffer body() {
    return body.bytes();
  }

  /** The body as clients share it. */
  CachedBody shared() {
    return body;
  }

  byte[] head() {
    return head;
  }

  /** The response as it is sent at that time, in seconds since the epoch. */
  AgedResponse at(long now, Freshness freshness) {
    AgedResponse known = aged;
    if (known != null && known.second() == now) {
      return known;
    }
    String status = "hit; ttl=" + (freshness.end() - now);
    AgedResponse fresh = new AgedResponse(now, head(freshness.age(now), status), body);
    aged = fresh;
    return fresh;
  }

  /**
   * The complete head of a response of that age.
   *
   * @param status the parameters of Cache-Status (RFC 9211)
   */
  ResponseHead head(long age, String status) {
    HeadBuffer out = new HeadBuffer();
    out.put(head);
    out.putField("Age", Long.toString(age));
    out.putField("Cache-Status", CacheStatus.NAME + "; " + status);
    out.put("Content-Length: ").put(body.length()).endLine();
    return parse(out);
  }

  static ResponseHead parse(HeadBuffer out) {
    out.endLine();
    return switch (PARSER.parse(Arrays.copyOf(out.array(), out.length()), false)) {
      case ResponseHead parsed -> parsed;
      case ParsedResponse.Malformed malformed ->
          throw new IllegalStateException("a head that was read cannot be read again: " + malformed);
    };
  }
}
