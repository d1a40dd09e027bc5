package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.idp.consent.PendingRelease.Item;
import dev.gatehouse.idp.oidc.PersonClaims;
import dev.gatehouse.idp.oidc.ScopeClaims;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Describes for the person what scopes and claims reveal to a client, and what they allow it to do. */
public final class ConsentItems {

  /** Scopes that have their own text in the message bundle; others are shown by name. */
  private static final Set<String> WORDED =
      Set.of("openid", "profile", "email", "phone", "address", "offline_access", "roles");

  private ConsentItems() {}

  static List<Item> of(OAuthConfig config, AuthorizationRequest asked, Person person) {
    List<Item> items = new ArrayList<>(scopes(config, asked.wanted().scopes(), person));
    asked.wanted().claims().stream()
        .flatMap(claims -> claims.names().stream())
        .map(
            claim ->
                new Item(
                    ClientConsents.CLAIM + claim, claim, Optional.of("claim"), values(config, Set.of(claim), person)))
        .forEach(items::add);
    return items;
  }

  /** The items in the order of their names, with {@code openid} first. */
  public static List<Item> scopes(OAuthConfig config, Set<String> scopes, Person person) {
    Stream<String> first = Stream.of(Scopes.OPENID).filter(scopes::contains);
    Stream<String> rest = scopes.stream().filter(scope -> !scope.equals(Scopes.OPENID)).sorted();
    return Stream.concat(first, rest).map(scope -> scope(config, scope, person)).toList();
  }

  private static Item scope(OAuthConfig config, String scope, Person person) {
    List<String> values = values(config, ScopeClaims.of(config, Set.of(scope)), person);
    return new Item(scope, scope, Optional.of(words(scope)), values);
  }

  /** The key of the text that explains a scope, {@code consent.item.WORDS}. */
  public static String words(String scope) {
    return WORDED.contains(scope) ? scope : "other";
  }

  /** The values that UserInfo would return, for people. */
  private static List<String> values(OAuthConfig config, Set<String> claims, Person person) {
    return PersonClaims.of(config, person, claims).values().stream().flatMap(ConsentItems::texts).distinct().toList();
  }

  private static Stream<String> texts(Object value) {
    return switch (value) {
      case Collection<?> several -> several.stream().map(String::valueOf);
      case Map<?, ?> parts -> parts.values().stream().map(String::valueOf);
      default -> Stream.of(value.toString());
    };
  }
}
