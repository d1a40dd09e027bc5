package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.admin.ReleaseView.Withheld;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.OAuthConfig;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The claims about a person (OpenID Connect Core 5.1), from the directory's data. A claim without a value is left out
 * (5.3.2). This includes whether an address was verified: no directory knows that, unless an attribute is configured
 * for it.
 */
public final class PersonClaims {

  static final String NAME = "name";
  static final String PREFERRED_USERNAME = "preferred_username";

  /** The attribute of {@link #NAME} if its own is missing. */
  static final String NAME_FALLBACK = "cn";

  private PersonClaims() {}

  /**
   * Returns the values of those claims that exist, each a text, a truth value, a number, a list of texts or an object.
   */
  public static Map<String, Object> of(OAuthConfig config, Person person, Collection<String> names) {
    Map<String, Object> claims = new LinkedHashMap<>();
    for (String name : names) {
      value(config, person, name).ifPresent(value -> claims.put(name, value));
    }
    return claims;
  }

  /** Returns why a person has no value of the claim; empty if there is one. */
  public static Optional<Withheld> absence(OAuthConfig config, Person person, String claim) {
    if (value(config, person, claim).isPresent()) {
      return Optional.empty();
    }
    String source = config.claims().getOrDefault(claim, "");
    if (source.isEmpty()) {
      return Optional.of(Withheld.NOT_CONFIGURED);
    }
    boolean isUnreadable = !person.attributes().getOrDefault(source, List.of()).isEmpty();
    return Optional.of(isUnreadable ? Withheld.UNREADABLE : Withheld.NO_VALUE);
  }

  private static Optional<Object> value(OAuthConfig config, Person person, String claim) {
    String source = config.claims().getOrDefault(claim, "");
    return switch (source) {
      case "" -> Optional.empty();
      case "roles" -> list(person.roles().stream().sorted().toList());
      case "groups" -> list(person.groups());
      default -> value(person, claim, source);
    };
  }

  private static Optional<Object> value(Person person, String claim, String attribute) {
    List<String> values = person.attributes().getOrDefault(attribute, List.of());
    if (values.isEmpty()) {
      return fallback(person, claim);
    }
    String first = values.getFirst();
    return switch (claim) {
      case "email_verified", "phone_number_verified" -> truth(first);
      case "updated_at" -> number(first);
      // The lines of a postalAddress are separated by dollar signs (RFC 4517, section 3.3.28).
      case "address" -> Optional.of(Map.of("formatted", first.replace("$", "\n")));
      default ->
          OAuthConfig.STANDARD_CLAIMS.containsKey(claim) || values.size() == 1
              ? Optional.of(first)
              : list(values);
    };
  }

  /** Every directory has values for these two, under some name. */
  private static Optional<Object> fallback(Person person, String claim) {
    return switch (claim) {
      case NAME -> person.attributes().getOrDefault(NAME_FALLBACK, List.of()).stream().findFirst().map(name -> name);
      case PREFERRED_USERNAME -> Optional.of(person.name());
      default -> Optional.empty();
    };
  }

  private static Optional<Object> list(List<String> values) {
    return values.isEmpty() ? Optional.empty() : Optional.of(values);
  }

  private static Optional<Object> truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  private static Optional<Object> number(String text) {
    return text.matches("[0-9]{1,12}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }
}
