package dev.gatehouse.gateway.bearer;

import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The access token of a request, from its only Authorization field (RFC 6750, section 2.1). The query is ignored
 * because logs and browser histories store it (RFC 9700, section 4.3.2), and so is the body, which belongs to the app.
 */
public sealed interface PresentedToken {

  /** No Authorization field, or one of another scheme. */
  record Nothing() implements PresentedToken {}

  /** Several Authorization fields, or one without a well-formed token. */
  record Unreadable() implements PresentedToken {}

  /** @param bound whether the token was presented with the {@code DPoP} scheme */
  record Token(String value, boolean bound) implements PresentedToken {
    @Override
    public String toString() {
      return "***";
    }
  }

  int MAX_CHARACTERS = 16 * 1024;

  Pattern TOKEN68 = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  static PresentedToken of(Fields fields) {
    List<String> values = fields.all(FieldName.AUTHORIZATION);
    if (values.isEmpty()) {
      return new Nothing();
    }
    if (values.size() > 1) {
      return new Unreadable();
    }
    String value = values.getFirst();
    int space = value.indexOf(' ');
    String scheme = space < 0 ? value : value.substring(0, space);
    boolean bound = scheme.equalsIgnoreCase("DPoP");
    if (!bound && !scheme.equalsIgnoreCase("Bearer")) {
      return new Nothing();
    }
    Optional<String> token = space < 0 ? Optional.empty() : Optional.of(value.substring(space + 1).strip());
    return token
        .filter(text -> text.length() <= MAX_CHARACTERS && TOKEN68.matcher(text).matches())
        .<PresentedToken>map(text -> new Token(text, bound))
        .orElseGet(Unreadable::new);
  }
}
