package dev.gatehouse.common.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A query or form: malformed, or at most 200 parameters whose raw values stand in it. */
public final class ParametersFuzz {

  private ParametersFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    String raw = new String(bytes, StandardCharsets.ISO_8859_1);
    List<Parameters.Parameter> all;
    try {
      all = Parameters.parse(raw).all();
    } catch (Parameters.Malformed malformed) {
      return;
    }
    if (all.size() > 200 || !all.stream().allMatch(parameter -> raw.contains(parameter.rawValue()))) {
      throw new IllegalStateException("read what is not there");
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "a=b&c=%C3%A4+d&&=e&f".getBytes(StandardCharsets.ISO_8859_1),
        "SAMLRequest=fZ&RelayState=%2F".getBytes(StandardCharsets.ISO_8859_1));
  }
}
