package dev.gatehouse.common.codec;

import java.io.ByteArrayOutputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes one JSON object (RFC 8259), member by member. Tokens and answers about them are created many thousand times a
 * second: a tree or a map in between would cost more.
 */
public final class JsonText {

  private static final JsonFactory JSON = new JsonFactory();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
  private final JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes).writeStartObject();

  public JsonText text(String name, String value) {
    json.writeStringProperty(name, value);
    return this;
  }

  public JsonText number(String name, long value) {
    json.writeNumberProperty(name, value);
    return this;
  }

  public JsonText flag(String name, boolean value) {
    json.writeBooleanProperty(name, value);
    return this;
  }

  public JsonText texts(String name, Collection<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeString);
    json.writeEndArray();
    return this;
  }

  /** Writes values in the format of {@code aud}: a single value without brackets (RFC 7519, section 4.1.3). */
  public JsonText oneOrMore(String name, List<String> values) {
    return values.size() == 1 ? text(name, values.getFirst()) : texts(name, values);
  }

  /** An object whose members are arrays. */
  public JsonText lists(String name, Map<String, List<String>> members) {
    json.writeObjectPropertyStart(name);
    members.forEach(this::texts);
    json.writeEndObject();
    return this;
  }

  /** An object with one member. */
  public JsonText object(String name, String member, String value) {
    json.writeObjectPropertyStart(name).writeStringProperty(member, value).writeEndObject();
    return this;
  }

  /** Must be called only once. */
  public byte[] toBytes() {
    json.writeEndObject().close();
    return bytes.toByteArray();
  }
}
