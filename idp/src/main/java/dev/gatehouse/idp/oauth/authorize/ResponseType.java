package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.realm.ClientConfig.GrantType;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The content of an authorization response; a request asks for one or several (OAuth 2.0 Multiple Response Types,
 * section 3).
 */
enum ResponseType {
  CODE,
  TOKEN,
  ID_TOKEN;

  String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the parameter {@code response_type}, in any order; empty if a word is unknown or repeated. */
  static Optional<Set<ResponseType>> parse(String parameter) {
    Set<ResponseType> types = EnumSet.noneOf(ResponseType.class);
    for (String word : parameter.split(" ", -1)) {
      Optional<ResponseType> type = of(word);
      if (type.isEmpty() || !types.add(type.get())) {
        return Optional.empty();
      }
    }
    return Optional.of(types);
  }

  /** The grant that the client needs for these response types together. */
  static GrantType grant(Set<ResponseType> types) {
    if (!types.contains(CODE)) {
      return GrantType.IMPLICIT;
    }
    return types.size() == 1 ? GrantType.CODE : GrantType.HYBRID;
  }

  private static Optional<ResponseType> of(String word) {
    for (ResponseType type : values()) {
      if (type.value().equals(word)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
