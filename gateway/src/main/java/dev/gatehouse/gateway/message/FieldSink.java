package dev.gatehouse.gateway.message;

/** Takes the fields of a head, whatever version of HTTP writes them. */
public interface FieldSink {

  /** A field as it was received. */
  FieldSink putField(Fields fields, int field);

  /** @param latin1Value characters up to U+00FF, no line end among them */
  FieldSink putField(String name, String latin1Value);
}
