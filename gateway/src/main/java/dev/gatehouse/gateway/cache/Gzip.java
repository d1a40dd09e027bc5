package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** The gzip coding of a stored response, created once, with a weak entity tag (RFC 9110, section 8.8.1). */
final class Gzip {

  private static final int LEAST = 512;
  private static final byte[] ETAG = Ascii.bytes("etag");
  private static final byte[] ACCEPT_RANGES = Ascii.bytes("accept-ranges");

  private static final Set<String> TYPES =
      Set.of(
          "application/javascript", "application/json", "application/xml", "application/wasm", "application/xhtml+xml",
          "application/manifest+json", "application/vnd.ms-fontobject", "font/ttf", "font/otf", "image/svg+xml",
          "image/bmp", "image/x-icon");

  private Gzip() {}

  static boolean isWorthIt(ResponseHead response, int length) {
    if (response.status() != 200 || length < LEAST || isFixed(response.fields())) {
      return false;
    }
    String type =
        HeadFields.only(response.fields(), "content-type").map(t -> t.split(";", 2)[0]).orElse("").strip().toLowerCase(Locale.ROOT);
    return type.startsWith("text/") && !type.equals("text/event-stream")
        || TYPES.contains(type)
        || type.endsWith("+json")
        || type.endsWith("+xml");
  }

  /** Returns whether the app forbids transformations of the response (RFC 9111, section 5.2.2.6). */
  private static boolean isFixed(Fields fields) {
    return Freshness.control(fields).noTransform()
        || CacheControl.of(fields.all(FieldName.CACHE_CONTROL)).noTransform();
  }

  /** Compresses a body; blocks while it does. */
  static byte[] compress(ByteBuffer body) {
    byte[] plain = new byte[body.limit()];
    body.duplicate().get(0, plain);
    ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 3 + 64);
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out, 4096) {
          {
            def.setLevel(Deflater.DEFAULT_COMPRESSION);
          }
        }) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** @param plain status line and fields without the empty line */
  static byte[] head(byte[] plain, Fields fields) {
    HeadBuffer out = new HeadBuffer();
    int line = 0;
    while (plain[line] != '\n') {
      line++;
    }
    out.put(plain, 0, line + 1);
    for (int i = 0; i < fields.size(); i++) {
      if (HeadFields.isNamed(fields, i, ETAG)) {
        String tag = fields.value(i);
        out.putField("ETag", tag.startsWith("W/") ? tag : "W/" + tag);
      } else if (!HeadFields.isNamed(fields, i, ACCEPT_RANGES)) {
        out.putField(fields, i);
      }
    }
    out.putField("Content-Encoding", "gzip");
    return Arrays.copyOf(out.array(), out.length());
  }
}
