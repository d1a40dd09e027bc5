package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.admin.ReleaseView;
import dev.gatehouse.common.admin.ReleaseView.ReleasedValue;
import dev.gatehouse.common.admin.ReleaseView.Withheld;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.SubjectType;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.authorize.AuthorizationRequest.Wanted;
import dev.gatehouse.idp.oauth.client.Client;
import dev.gatehouse.idp.oauth.client.Clients;
import dev.gatehouse.idp.oidc.ClaimPlace;
import dev.gatehouse.idp.oidc.ClaimsRequest;
import dev.gatehouse.idp.oidc.PersonClaims;
import dev.gatehouse.idp.oidc.ScopeClaims;
import dev.gatehouse.idp.oidc.Subjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Explains which claims ID tokens, UserInfo and access tokens for a client would have, by the rules of a login, and changes nothing. */
public final class ClaimReleasePreview {

  private final Clients clients;
  private final Subjects subjects;
  private final ClientConsents consents;

  ClaimReleasePreview(Clients clients, Subjects subjects, ClientConsents consents) {
    this.clients = clients;
    this.subjects = subjects;
    this.consents = consents;
  }

  /**
   * What an authorization request asks for.
   *
   * @param named by {@code claims}
   * @param claims those of them that the client may have
   */
  private record Asked(Set<String> granted, Set<String> refused, Set<String> named, ClaimsRequest claims, Set<ClaimPlace> places) {}

  /**
   * Returns what the client would get; empty if the realm has no such client.
   *
   * @param scope the parameter of the request; all that the client may have if empty
   * @param claims the parameter of the request
   * @throws IllegalArgumentException if {@code claims} cannot be read
   */
  public Optional<ReleaseView> of(Realm realm, Person person, String clientId, Optional<String> scope, Optional<String> claims) {
    return realm.idp().flatMap(idp -> clients.find(realm, clientId).map(client -> view(realm, idp, person, client, scope, claims)));
  }

  private ReleaseView view(
      Realm realm, IdpConfig idp, Person person, Client client, Optional<String> scope, Optional<String> claims) {
    Optional<ClaimsParameter> parameter = claims.map(sent -> read(sent, idp.oauth(), client));
    String scopes = scope.orElseGet(() -> String.join(" ", client.config().permissions().scopes()));
    Set<String> granted = Scopes.granted(client, Optional.of(scopes), true);
    Set<String> refused = new TreeSet<>(Arrays.asList(scopes.split(" ")));
    refused.removeAll(granted);
    Asked asked =
        new Asked(
            granted, refused, claims.flatMap(ClaimsRequest::parse).map(ClaimReleasePreview::names).orElse(Set.of()),
            parameter.flatMap(read -> ClaimsRequest.parse(read.json())).orElse(ClaimsRequest.NONE), places(client));
    Wanted wanted = new Wanted(granted, List.of(), Optional.empty(), parameter);
    boolean isPublic = client.config().login().subject() instanceof SubjectType.Public;
    return new ReleaseView(
        client.id(),
        person.id().value(),
        person.name(),
        new ReleaseView.ReleaseSubject(isPublic ? "public" : "pairwise", Optional.of(subjects.subject(realm, client, person.id()))),
        consents.decide(realm.name(), client, person.id(), wanted).view(ClientConsents.names(wanted)),
        values(idp.oauth(), person, asked),
        List.of(),
        problems(asked));
  }

  private static Set<String> names(ClaimsRequest asked) {
    Set<String> names = new TreeSet<>(asked.idToken());
    names.addAll(asked.userInfo());
    return names;
  }

  private static ClaimsParameter read(String claims, OAuthConfig config, Client client) {
    return switch (ClaimsParameter.permitted(claims, config, client)) {
      case Result.Accepted(ClaimsParameter read) -> read;
      case Result.Refused<ClaimsParameter, OAuthError> refused ->
          throw new IllegalArgumentException("`claims` cannot be read: " + ClaimsRequest.FORM + ".");
    };
  }

  private static Set<ClaimPlace> places(Client client) {
    Set<ClaimPlace> places = EnumSet.noneOf(ClaimPlace.class);
    if (Stream.of(GrantType.CODE, GrantType.HYBRID, GrantType.DEVICE, GrantType.PASSWORD, GrantType.IMPLICIT).anyMatch(client::may)) {
      places.addAll(List.of(ClaimPlace.ID_TOKEN, ClaimPlace.USER_INFO, ClaimPlace.ACCESS_TOKEN));
    }
    if (client.may(GrantType.IMPLICIT)) {
      places.add(ClaimPlace.ID_TOKEN_ALONE);
    }
    return places;
  }

  private static List<String> problems(Asked asked) {
    List<String> problems = new ArrayList<>();
    if (asked.places().isEmpty()) {
      problems.add("The client acts in its own name only: none of its grants is for people.");
    }
    if (asked.granted().isEmpty()) {
      problems.add("The client may have none of these scopes.");
    }
    return problems;
  }

  private static List<ReleasedValue> values(OAuthConfig config, Person person, Asked asked) {
    Set<String> names = new TreeSet<>(config.claims().keySet());
    names.addAll(ScopeClaims.of(config, asked.granted()));
    names.addAll(ScopeClaims.of(config, asked.refused()));
    names.addAll(asked.named());
    List<ReleasedValue> values = new ArrayList<>();
    names.forEach(name -> values.addAll(values(config, person, asked, name)));
    Set<String> used = new HashSet<>(config.claims().values());
    person.attributes().keySet().stream()
        .filter(source -> !used.contains(source))
        .sorted()
        .map(source -> withheld(source, Optional.of(source), List.of(), Withheld.NOT_CONFIGURED))
        .forEach(values::add);
    return values;
  }

  private static List<ReleasedValue> values(OAuthConfig config, Person person, Asked asked, String claim) {
    Optional<String> source = Optional.ofNullable(config.claims().get(claim));
    List<String> grounds = grounds(config, asked, claim);
    List<String> places =
        asked.places().stream()
            .filter(place -> asked.granted().contains(Scopes.OPENID) || !place.isOpenId())
            .filter(place -> place.names(config, asked.granted(), asked.claims()).contains(claim))
            .map(ClaimPlace::label)
            .toList();
    Optional<Withheld> reason =
        places.isEmpty() ? Optional.of(notReleased(config, asked, grounds, claim)) : PersonClaims.absence(config, person, claim);
    if (reason.isPresent()) {
      return List.of(withheld(claim, source, grounds, reason.get()));
    }
    return PersonClaims.of(config, person, Set.of(claim)).values().stream()
        .flatMap(ClaimReleasePreview::texts)
        .map(value -> ReleasedValue.released(claim, value, source, grounds, places))
        .toList();
  }

  private static Withheld notReleased(OAuthConfig config, Asked asked, List<String> grounds, String claim) {
    if (!grounds.isEmpty()) {
      return Withheld.OPENID_NOT_REQUESTED;
    }
    boolean isAsked = asked.named().contains(claim) || ScopeClaims.of(config, asked.refused()).contains(claim);
    return isAsked ? Withheld.SCOPE_NOT_ALLOWED : Withheld.NOT_REQUESTED;
  }

  private static List<String> grounds(OAuthConfig config, Asked asked, String claim) {
    List<String> grounds = new ArrayList<>();
    asked.granted().stream()
        .filter(scope -> ScopeClaims.of(config, Set.of(scope)).contains(claim))
        .sorted()
        .forEach(scope -> grounds.add("scope " + scope));
    if (names(asked.claims()).contains(claim)) {
      grounds.add("claims");
    }
    return grounds;
  }

  private static Stream<String> texts(Object value) {
    return switch (value) {
      case Collection<?> several -> several.stream().map(String::valueOf);
      case Map<?, ?> parts -> parts.values().stream().map(String::valueOf);
      default -> Stream.of(value.toString());
    };
  }

  private static ReleasedValue withheld(String name, Optional<String> source, List<String> grounds, Withheld reason) {
    return ReleasedValue.withheld(name, Optional.empty(), source, grounds, reason);
  }
}
