package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.idp.consent.WaitingRelease.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What scopes and claims tell a client of a person, and let it do, as the person is asked about it. */
public final class ConsentItems {

  /** Scopes that the message bundle has words for; others are shown under their own name. */
  private static final Set<String> WORDED =
      Set.of("openid", "profile", "email", "phone", "address", "offline_access", "roles");

  /** OpenID Connect Core 5.4. */
  private static final Map<String, List<String>> STANDARD =
      Map.of(
          "profile", List.of("name", "given_name", "family_name", "preferred_username"),
          "email", List.of("email"),
          "phone", List.of("phone_number"),
          "address", List.of("address"));

  private ConsentItems() {}

  static List<Item> of(OAuthConfig config, AuthorizationRequest asked, Person person) {
    List<Item> items = new ArrayList<>(scopes(config, asked.scopes(), person));
    asked.claims().stream()
        .flatMap(claims -> claims.names().stream())
        .map(
            claim ->
                new Item(
                    ClientConsents.CLAIM + claim, claim, Optional.of("claim"), values(config, claim, person)))
        .forEach(items::add);
    return items;
  }

  /** In the order of their names, but the one that stands for all the rest first. */
  public static List<Item> scopes(OAuthConfig config, Set<String> scopes, Person person) {
    Stream<String> first = Stream.of(Scopes.OPENID).filter(scopes::contains);
    Stream<String> rest = scopes.stream().filter(scope -> !scope.equals(Scopes.OPENID)).sorted();
    return Stream.concat(first, rest).map(scope -> scope(config, scope, person)).toList();
  }

  private static Item scope(OAuthConfig config, String scope, Person person) {
    List<String> claims = STANDARD.getOrDefault(scope, config.scopes().getOrDefault(scope, List.of()));
    List<String> values =
        claims.stream().flatMap(claim -> values(config, claim, person).stream()).distinct().toList();
    return new Item(scope, scope, Optional.of(words(scope)), values);
  }

  /** The key of the text that explains a scope, {@code consent.item.WORDS}. */
  public static String words(String scope) {
    return WORDED.contains(scope) ? scope : "other";
  }

  private static List<String> values(OAuthConfig config, String claim, Person person) {
    return switch (config.claims().getOrDefault(claim, "")) {
      case "roles" -> person.roles().stream().sorted().toList();
      case "groups" -> person.groups();
      case String attribute -> person.attributes().getOrDefault(attribute, List.of());
    };
  }
}
