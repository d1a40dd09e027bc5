package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.gateway.accesslog.LineBuffer.Escape;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.RequestHead;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Encodes lines. Secrets are never written: neither cookies, Authorization and bodies, nor queries unless they are
 * configured and the request was for an app, nor the query of a Referer. Belongs to one event loop.
 */
final class LineFormat {

  /** The maximal length of a line: the limits below with each byte escaped. */
  static final int LONGEST = 48 * 1024;

  private static final int LONG_VALUE = 2048;
  private static final int SHORT_VALUE = 256;
  private static final DateTimeFormatter JSON_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter COMBINED_TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss '+0000'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private static final byte[] TIME = ascii("{\"time\":\"");
  private static final byte[] CLIENT = ascii("Z\",\"client\":\"");
  private static final byte[] USER = ascii("\",\"user\":\"");
  private static final byte[] METHOD = ascii("\",\"method\":\"");
  private static final byte[] HOST = ascii("\",\"host\":\"");
  private static final byte[] PATH = ascii("\",\"path\":\"");
  private static final byte[] PROTOCOL = ascii("\",\"protocol\":\"");
  private static final byte[] STATUS = ascii("\",\"status\":");
  private static final byte[] BYTES = ascii(",\"bytes\":");
  private static final byte[] DURATION = ascii(",\"ms\":");
  private static final byte[] SERVER = ascii(",\"server\":\"");
  private static final byte[] SERVER_DURATION = ascii("\",\"serverMs\":");
  private static final byte[] ROUTE = ascii(",\"route\":\"");
  private static final byte[] REASON = ascii(",\"reason\":\"");
  private static final byte[] REFERENCE = ascii(",\"reference\":\"");
  private static final byte[] CACHE = ascii(",\"cache\":\"");
  private static final byte[] TLS = ascii(",\"tls\":\"");
  private static final byte[] REFERER = ascii(",\"referer\":\"");
  private static final byte[] AGENT = ascii(",\"agent\":\"");
  private static final byte[] REFERER_NAME = ascii("referer");
  private static final byte[] AGENT_NAME = ascii("user-agent");
  private static final byte[] NO_REQUEST = ascii("\"-\" ");
  private static final byte[] NO_IDENTITY = ascii(" - ");

  private final Format format;
  private final boolean query;
  private final Escape escape;
  private long second = Long.MIN_VALUE;
  private byte[] secondText = new byte[0];
  private @Nullable InetAddress lastClient;
  private byte[] lastClientText = new byte[0];

  LineFormat(Format format, boolean query) {
    this.format = format;
    this.query = query;
    this.escape =
        switch (format) {
          case JSON -> Escape.JSON;
          case COMBINED -> Escape.COMBINED;
        };
  }

  /**
   * Writes one line; {@code out} must have space for {@link #LONGEST} bytes.
   *
   * @param millis the current time
   * @param nanos how long the request took
   */
  void write(AccessEntry entry, long millis, long nanos, LineBuffer out) {
    switch (format) {
      case JSON -> json(entry, millis, nanos, out);
      case COMBINED -> combined(entry, millis, out);
    }
  }

  private void json(AccessEntry entry, long millis, long nanos, LineBuffer out) {
    RequestHead head = entry.head();
    out.put(TIME).put(time(millis, JSON_TIME)).putThree((int) Math.floorMod(millis, 1000L));
    out.put(CLIENT).put(client(entry));
    if (!entry.user().isEmpty()) {
      out.put(USER).escaped(entry.user(), SHORT_VALUE, escape);
    }
    if (head != null) {
      out.put(METHOD).escaped(head.method(), SHORT_VALUE, escape);
      out.put(HOST);
      field(head.fields(), head.fields().next(FieldName.HOST, 0), SHORT_VALUE, out);
      out.put(PATH);
      path(entry, head, out);
    }
    out.put(PROTOCOL).escaped(entry.protocol(), SHORT_VALUE, escape);
    out.put(STATUS).put(entry.status()).put(BYTES).put(entry.bytes());
    out.put(DURATION);
    millis(nanos, out);
    if (entry.serverNanos() >= 0) {
      out.put(SERVER).put(entry.server()).put(SERVER_DURATION);
      millis(entry.serverNanos(), out);
    }
    text(ROUTE, entry.route(), out);
    text(REASON, entry.reason(), out);
    text(REFERENCE, entry.requestId(), out);
    text(CACHE, entry.cache(), out);
    text(TLS, entry.tls(), out);
    if (head != null) {
      int referer = find(head.fields(), REFERER_NAME);
      if (referer >= 0) {
        out.put(REFERER);
        referer(head.fields(), referer, out);
        out.put('"');
      }
      int agent = find(head.fields(), AGENT_NAME);
      if (agent >= 0) {
        out.put(AGENT);
        field(head.fields(), agent, LONG_VALUE, out);
        out.put('"');
      }
    }
    out.put('}').put('\n');
  }

  private void text(byte[] name, String value, LineBuffer out) {
    if (!value.isEmpty()) {
      out.put(name).escaped(value, SHORT_VALUE, escape).put('"');
    }
  }

  private void combined(AccessEntry entry, long millis, LineBuffer out) {
    RequestHead head = entry.head();
    out.put(client(entry)).put(NO_IDENTITY);
    user(entry.user(), out);
    out.put(' ').put('[').put(time(millis, COMBINED_TIME)).put(']').put(' ');
    if (head == null) {
      out.put(NO_REQUEST);
    } else {
      out.put('"').escaped(head.method(), SHORT_VALUE, escape).put(' ');
      path(entry, head, out);
      out.put(' ').escaped(entry.protocol(), SHORT_VALUE, escape).put('"').put(' ');
    }
    out.put(entry.status()).put(' ').put(entry.bytes()).put(' ').put('"');
    int referer = head == null ? -1 : find(head.fields(), REFERER_NAME);
    if (head == null || referer < 0) {
      out.put('-');
    } else {
      referer(head.fields(), referer, out);
    }
    out.put('"').put(' ').put('"');
    int agent = head == null ? -1 : find(head.fields(), AGENT_NAME);
    if (head == null || agent < 0) {
      out.put('-');
    } else {
      field(head.fields(), agent, LONG_VALUE, out);
    }
    out.put('"').put('\n');
  }

  /**
   * Writes the name between spaces and without quotation marks; a space in it would begin the next field, so it is
   * replaced.
   */
  private void user(String name, LineBuffer out) {
    if (name.isEmpty()) {
      out.put('-');
      return;
    }
    int from = out.length();
    out.escaped(name, SHORT_VALUE, escape);
    for (int i = from; i < out.length(); i++) {
      if (out.bytes()[i] == ' ') {
        out.bytes()[i] = '_';
      }
    }
  }

  /**
   * Writes the path, and the query only of requests to apps: queries to the gateway's own endpoints carry tickets and
   * messages.
   */
  private void path(AccessEntry entry, RequestHead head, LineBuffer out) {
    int end = query && !entry.route().isEmpty() ? head.targetEnd() : head.pathEnd();
    out.escaped(head.fields().bytes(), head.pathStart(), end, LONG_VALUE, escape);
  }

  /** The first field of that name; -1 if there is none. */
  private static int find(Fields fields, byte[] lower) {
    for (int i = 0; i < fields.size(); i++) {
      int start = fields.nameStart(i);
      int end = fields.nameEnd(i);
      if (end - start == lower.length && Ascii.equalsLower(fields.bytes(), start, end, lower)) {
        return i;
      }
    }
    return -1;
  }

  private void field(Fields fields, int field, int most, LineBuffer out) {
    if (field >= 0) {
      out.escaped(fields.bytes(), fields.valueStart(field), fields.valueEnd(field), most, escape);
    }
  }

  private void referer(Fields fields, int field, LineBuffer out) {
    int start = fields.valueStart(field);
    int end = start;
    byte[] bytes = fields.bytes();
    while (end < fields.valueEnd(field) && bytes[end] != '?' && bytes[end] != '#') {
      end++;
    }
    out.escaped(bytes, start, end, LONG_VALUE, escape);
  }

  private static void millis(long nanos, LineBuffer out) {
    long micros = nanos / 1000;
    out.put(micros / 1000).put('.').putThree((int) (micros % 1000));
  }

  private byte[] time(long millis, DateTimeFormatter formatter) {
    long now = Math.floorDiv(millis, 1000L);
    if (now != second) {
      second = now;
      secondText = ascii(formatter.format(Instant.ofEpochSecond(now)));
    }
    return secondText;
  }

  private byte[] client(AccessEntry entry) {
    InetAddress client = entry.client();
    if (client != lastClient && client != null) {
      lastClient = client;
      lastClientText = ascii(client.getHostAddress());
    }
    return lastClientText;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
