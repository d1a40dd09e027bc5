package dev.gatehouse.idp.oauth.authorize;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The way in which an authorization response travels (OAuth 2.0 Multiple Response Types, section 2.1; Form Post
 * Response Mode).
 */
enum ResponseMode {
  QUERY,
  FRAGMENT,
  FORM_POST;

  /** The mode if the request names none: tokens never appear in a query, because servers log it. */
  static ResponseMode usual(Set<ResponseType> types) {
    return types.equals(Set.of(ResponseType.CODE)) ? QUERY : FRAGMENT;
  }

  static Optional<ResponseMode> of(String parameter) {
    for (ResponseMode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(parameter)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }
}
