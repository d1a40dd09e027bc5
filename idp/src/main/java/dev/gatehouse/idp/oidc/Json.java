package dev.gatehouse.idp.oidc;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Claims and metadata as JSON (RFC 8259), with the members in the order of the map. */
public final class Json {

  private static final JsonMapper JSON = JsonMapper.shared();

  private Json() {}

  /** In UTF-8. */
  public static byte[] bytes(Map<String, Object> members) {
    return JSON.writeValueAsBytes(members);
  }

  static String text(Map<String, Object> members) {
    return JSON.writeValueAsString(members);
  }
}
