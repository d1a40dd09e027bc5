package dev.gatehouse.gateway.message;

/** Takes the fields of a head, independent of the HTTP version. */
public interface FieldSink {

  /** Adds a field as it was received. */
  FieldSink putField(Fields fields, int field);

  /** @param latin1Value characters up to U+00FF, without line ends */
  FieldSink putField(String name, String latin1Value);
}
