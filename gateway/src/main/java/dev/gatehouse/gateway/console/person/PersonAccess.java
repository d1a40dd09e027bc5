package dev.gatehouse.gateway.console.person;

import dev.gatehouse.common.admin.AdminResource.AppSecretView;
import dev.gatehouse.common.admin.AdminResource.AuthorizationView;
import dev.gatehouse.common.admin.AdminResource.FederationView;
import dev.gatehouse.common.admin.AdminResource.SecondFactorView;
import dev.gatehouse.common.admin.PasskeyView;
import dev.gatehouse.common.admin.TokenDesk.TokenHolderView;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.gateway.admin.person.AppSecretEndpoint;
import dev.gatehouse.gateway.admin.person.AuthorizationEndpoint;
import dev.gatehouse.gateway.admin.person.FederationEndpoint;
import dev.gatehouse.gateway.admin.person.PersonEndpoint.PersonView;
import dev.gatehouse.gateway.admin.person.PersonEndpoint;
import dev.gatehouse.gateway.admin.person.PasskeyEndpoint;
import dev.gatehouse.gateway.admin.person.SecondFactorEndpoint;
import dev.gatehouse.gateway.admin.token.TokenHolderEndpoint;
import dev.gatehouse.gateway.admin.web.NotFound;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads what belongs to a person, as far as this node has it, and ends parts of it. */
final class PersonAccess {

  /**
   * What belongs to a person.
   *
   * @param person what the directory and this node know; empty if that is nothing
   * @param holder empty if the realm takes no tokens, or nobody knows the person
   * @param secondFactor empty if the directory has nobody of that name, or the node no identity provider
   * @param secretsOf the id by which stored passwords are found
   */
  record Found(
      Optional<PersonView> person,
      Optional<TokenHolderView> holder,
      Optional<SecondFactorView> secondFactor,
      List<PasskeyView> passkeys,
      List<AuthorizationView> authorizations,
      List<FederationView> federations,
      String secretsOf,
      List<AppSecretView> secrets) {

    boolean isNothing() {
      return person.isEmpty()
          && holder.isEmpty()
          && secondFactor.isEmpty()
          && passkeys.isEmpty()
          && authorizations.isEmpty()
          && federations.isEmpty()
          && secrets.isEmpty();
    }
  }

  private final Realms realms;
  private final PersonEndpoint people;
  private final TokenHolderEndpoint holders;
  private final SecondFactorEndpoint factors;
  private final PasskeyEndpoint passkeys;
  private final AuthorizationEndpoint authorizations;
  private final FederationEndpoint federations;
  private final AppSecretEndpoint secrets;

  PersonAccess(
      Realms realms,
      PersonEndpoint people,
      TokenHolderEndpoint holders,
      SecondFactorEndpoint factors,
      PasskeyEndpoint passkeys,
      AuthorizationEndpoint authorizations,
      FederationEndpoint federations,
      AppSecretEndpoint secrets) {
    this.realms = realms;
    this.people = people;
    this.holders = holders;
    this.factors = factors;
    this.passkeys = passkeys;
    this.authorizations = authorizations;
    this.federations = federations;
    this.secrets = secrets;
  }

  /** Returns what belongs to the person with that name or id. */
  Found of(String realm, String person, String administrator) {
    if (realms.find(realm).isEmpty()) {
      throw NotFound.realm(realm);
    }
    Optional<SecondFactorView> factor = ifThere(() -> factors.ofPerson(realm, person));
    String id = factor.map(SecondFactorView::person).orElse(person);
    Optional<PersonView> known = ifThere(() -> people.get(realm, person, administrator));
    return new Found(
        known,
        // Somebody whom nobody knows has no token either.
        ifThere(() -> holders.get(realm, person)).filter(holder -> known.isPresent() || !holder.tokens().isEmpty()),
        factor,
        ifThere(() -> passkeys.ofPerson(realm, person)).orElse(List.of()),
        ifThere(() -> authorizations.page(realm, Optional.of(person), "", 1).authorizations()).orElse(List.of()),
        federations.ofPerson(realm, person).federations(),
        id,
        ifThere(() -> secrets.ofPerson(realm, id)).orElse(List.of()));
  }

  /** A node without the role, or a directory without the person, has nothing to show; the other parts are shown nevertheless. */
  private static <T> Optional<T> ifThere(Supplier<T> part) {
    try {
      return Optional.of(part.get());
    } catch (NotFound e) {
      return Optional.empty();
    }
  }

  /** Takes a step that was asked before. */
  void end(String realm, String person, AccessStep step, AccessStep.Part part, String administrator) {
    switch (step) {
      case SECOND_FACTOR -> factors.reset(realm, person, administrator);
      case PASSKEY -> passkeys.remove(realm, person, Optional.of(part.id()), administrator);
      case AUTHORIZATION -> authorizations.end(realm, part.id(), administrator);
      case FEDERATION -> federations.end(realm, part.kind(), part.partner(), part.id(), administrator);
      case UNLOCK -> people.unlock(realm, person, administrator);
      case CONSENT -> people.endConsent(realm, person, part.partner(), administrator);
      case APP_SECRETS -> secrets.remove(realm, of(realm, person, administrator).secretsOf(), part.id(), administrator);
    }
  }
}
