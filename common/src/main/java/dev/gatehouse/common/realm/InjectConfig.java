package dev.gatehouse.common.realm;

import java.util.Map;

/**
 * What an app is told of the person.
 *
 * @param headers header name to {@code user}, {@code roles}, {@code groups} or an attribute's name
 */
public record InjectConfig(Map<String, String> headers) {

  /** Nothing at all. */
  public static final InjectConfig NOTHING = new InjectConfig(Map.of());

  /** Headers alone. */
  public static InjectConfig headers(Map<String, String> headers) {
    return new InjectConfig(headers);
  }
}
