package dev.gatehouse.gateway.admin.web;

import java.time.DateTimeException;
import java.time.Instant;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/** Reads a time as the OpenAPI document describes it (RFC 3339), and no number, of which nobody knows whether it counts seconds. */
final class InstantText extends StdScalarDeserializer<Instant> {

  InstantText() {
    super(Instant.class);
  }

  @Override
  public Instant deserialize(JsonParser json, DeserializationContext context) {
    if (!json.hasToken(JsonToken.VALUE_STRING)) {
      return (Instant) context.handleUnexpectedToken(getValueType(context), json);
    }
    try {
      return Instant.parse(json.getString());
    } catch (DateTimeException e) {
      return (Instant) context.handleWeirdStringValue(Instant.class, "-", "is no time (RFC 3339)");
    }
  }
}
