package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Explains to an administrator which attributes of the directory feed which claims (OpenID Connect Core 5.1). */
public final class ClaimSources {

  /** These are computed for every person, whatever is read of the directory. */
  private static final Set<String> COMPUTED = Set.of("roles", "groups");

  private ClaimSources() {}

  /** Returns one line for the realm; empty if it has no OpenID clients or no directory. */
  public static Optional<String> note(Realm realm) {
    boolean hasClients =
        !realm.parties().clients().isEmpty()
            || realm.idp().map(IdpConfig::oauth).filter(o -> o.registration() != OAuthConfig.Registration.CLOSED).isPresent();
    if (realm.idp().isEmpty() || realm.directory().isEmpty() || !hasClients) {
      return Optional.empty();
    }
    return Optional.of("realm " + realm.name() + ": " + text(realm.idp().get().oauth(), realm.directory().get()));
  }

  private static String text(OAuthConfig oauth, DirectoryConfig directory) {
    Set<String> read = directory.people().attributes().keySet();
    List<String> fed = new ArrayList<>();
    List<String> absent = new ArrayList<>();
    new TreeMap<>(oauth.claims())
        .forEach(
            (claim, attribute) -> {
              Optional<String> fallback = fallback(claim, read);
              if (read.contains(attribute) || COMPUTED.contains(attribute)) {
                fed.add(claim + " from " + attribute + fallback.map(other -> " (else " + other + ")").orElse(""));
              } else if (fallback.isPresent()) {
                fed.add(claim + " from " + fallback.get());
              } else {
                absent.add(claim + " (" + attribute + ")");
              }
            });
    String sources = "claims of OpenID: " + String.join(", ", fed);
    return absent.isEmpty()
        ? sources
        : sources + "; never sent, because directory.attributes does not list the attribute: " + String.join(", ", absent);
  }

  /** Names the source of the value that {@link PersonClaims} sends if the attribute is missing. */
  private static Optional<String> fallback(String claim, Set<String> read) {
    return switch (claim) {
      case PersonClaims.NAME -> Optional.of(PersonClaims.NAME_FALLBACK).filter(read::contains);
      case PersonClaims.PREFERRED_USERNAME -> Optional.of("the login name");
      default -> Optional.empty();
    };
  }
}
