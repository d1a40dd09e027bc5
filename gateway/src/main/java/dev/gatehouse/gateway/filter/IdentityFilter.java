package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.gateway.filter.HeaderEdits.Edit;
import dev.gatehouse.sp.session.AppSession;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a session into the fields that tell the app who is there.
 *
 * <p>Values are sent as UTF-8, as other access gateways do. Lists are separated by commas; in their elements a comma, a
 * percent sign, a control character and a space at either end are percent-encoded, so that no group's name can look
 * like two, or like another. The user's name is sent as it is; a name that would not arrive as it is (a control
 * character, a space at either end, nothing at all) is not sent: the request is denied. An empty list is no field.
 */
public final class IdentityFilter {

  private record Source(String field, String from) {}

  private final List<Source> sources;

  /** @param inject field name to {@code user}, {@code roles}, {@code groups} or an attribute's name */
  public IdentityFilter(Map<String, String> inject) {
    this.sources =
        inject.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(e -> new Source(e.getKey(), AttributeName.plain(e.getValue())))
            .toList();
  }

  /** The fields for this session; empty where one of them could not be sent faithfully. */
  public Optional<HeaderEdits> edits(AppSession session) {
    return edits(session.user(), session.roles(), session.groups(), session.attributes());
  }

  /** The fields for the holder of this token, likewise. */
  public Optional<HeaderEdits> edits(TokenHolder holder) {
    return edits(holder.user(), holder.roles(), holder.groups(), holder.attributes());
  }

  private Optional<HeaderEdits> edits(
      String user, List<String> roles, List<String> groups, Map<String, List<String>> attributes) {
    List<Edit> edits = new ArrayList<>(sources.size());
    for (Source source : sources) {
      if (source.from().equals("user")) {
        if (!arrivesAsItIs(user)) {
          return Optional.empty();
        }
        edits.add(new Edit(source.field(), utf8(user)));
        continue;
      }
      List<String> values =
          switch (source.from()) {
            case "roles" -> roles;
            case "groups" -> groups;
            case String attribute -> attributes.getOrDefault(attribute, List.of());
          };
      if (!values.isEmpty()) {
        edits.add(new Edit(source.field(), utf8(list(values))));
      }
    }
    return Optional.of(HeaderEdits.of(edits));
  }

  private static boolean arrivesAsItIs(String value) {
    if (value.isEmpty() || value.startsWith(" ") || value.endsWith(" ")) {
      return false;
    }
    // An unpaired surrogate would become a question mark, and so perhaps somebody else's name.
    return value.chars().noneMatch(Character::isISOControl) && StandardCharsets.UTF_8.newEncoder().canEncode(value);
  }

  private static String list(List<String> values) {
    StringBuilder list = new StringBuilder();
    for (String value : values) {
      if (!list.isEmpty()) {
        list.append(',');
      }
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        boolean edge = i == 0 || i == value.length() - 1;
        if (c == ',' || c == '%' || c < 0x20 || c == 0x7f || edge && c == ' ') {
          list.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
        } else {
          list.append(c);
        }
      }
    }
    return list.toString();
  }

  private static String utf8(String value) {
    return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
