package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.StatusTimers;
import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Whatever a head and a name hold: one line of visible ASCII, of bounded length, and JSON where it is said to be. */
public final class LineFormatFuzz {

  private static final RequestParser PARSER = new RequestParser(HeadLimits.standard());
  private static final JsonMapper JSON = new JsonMapper();

  private LineFormatFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    AccessEntry entry = new AccessEntry();
    RequestHead head = PARSER.parse(bytes) instanceof RequestHead parsed ? parsed : null;
    entry.begin(head, InetAddress.getLoopbackAddress(), "HTTP/1.1", "TLSv1.3", 0, "id");
    entry.user(new String(bytes, StandardCharsets.UTF_8));
    entry.route(
        new String(bytes, StandardCharsets.ISO_8859_1), new StatusTimers(HistogramFamily.unread("route", "status"), 1).none());
    for (Format format : Format.values()) {
      LineBuffer out = new LineBuffer(new byte[LineFormat.LONGEST]);
      new LineFormat(format, true).write(entry, 1_700_000_000_123L, 1_234_567, out);
      String line = new String(out.bytes(), 0, out.length(), StandardCharsets.ISO_8859_1);
      boolean oneLine = line.indexOf('\n') == line.length() - 1;
      if (!oneLine || line.chars().limit(line.length() - 1L).anyMatch(c -> c < 0x20 || c > 0x7e)) {
        throw new IllegalStateException("a line forges another: " + line);
      }
      if (format == Format.JSON) {
        JSON.readTree(line);
      }
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        latin1("GET /a?b HTTP/1.1\r\nHost: h\r\nUser-Agent: a\t\"\\\u00ff\r\nReferer: http://a/b?c#d\r\n\r\n"),
        latin1("GET /" + "\"".repeat(3000) + " HTTP/1.1\r\nHost: h\r\nUser-Agent: " + "\u00e9".repeat(3000) + "\r\n\r\n"),
        "L\u00f6we \ud83d\ude00 \u2028\n\"}".getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
