package dev.gatehouse.idp.oauth;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/**
 * Builds one JSON object (RFC 8259). Written for speed: tokens and answers about them are created many thousand times a
 * second.
 */
public final class JsonText {

  private final StringBuilder json = new StringBuilder(512).append('{');

  public JsonText text(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  public JsonText number(String name, long value) {
    name(name);
    json.append(value);
    return this;
  }

  public JsonText flag(String name, boolean value) {
    name(name);
    json.append(value);
    return this;
  }

  public JsonText texts(String name, Collection<String> values) {
    name(name);
    json.append('[');
    boolean first = true;
    for (String value : values) {
      if (!first) {
        json.append(',');
      }
      first = false;
      quote(value);
    }
    json.append(']');
    return this;
  }

  /** Writes values in the format of {@code aud}: a single value without brackets (RFC 7519, section 4.1.3). */
  public JsonText oneOrMore(String name, List<String> values) {
    return values.size() == 1 ? text(name, values.getFirst()) : texts(name, values);
  }

  /** An object with one member. */
  public JsonText object(String name, String member, String value) {
    name(name);
    json.append('{');
    quote(member);
    json.append(':');
    quote(value);
    json.append('}');
    return this;
  }

  /** Must be called only once. */
  public byte[] toBytes() {
    return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
  }

  private void name(String name) {
    if (json.length() > 1) {
      json.append(',');
    }
    quote(name);
    json.append(':');
  }

  private void quote(String text) {
    json.append('"');
    int written = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        continue;
      }
      json.append(text, written, i).append('\\');
      if (c >= ' ') {
        json.append(c);
      } else {
        json.append('u').append(HexFormat.of().toHexDigits(c));
      }
      written = i + 1;
    }
    json.append(text, written, text.length()).append('"');
  }
}
